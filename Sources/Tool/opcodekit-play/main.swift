import LibraryCommands
import LiveCommands

// What plays on sound devices.

Tool([.playing]).run()
