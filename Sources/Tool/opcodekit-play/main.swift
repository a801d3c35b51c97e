import LibraryCommands
import LiveCommands

// The commands that play on sound devices, without the FL opcodes.

Tool([.playing()]).run()
