import LibraryCommands
import LiveCommands

// The commands that play on sound devices.

Tool([.playing]).run()
