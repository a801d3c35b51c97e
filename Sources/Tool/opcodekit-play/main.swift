import Playing
import PluginBuilding

// The commands that play on sound devices, without the FL opcodes.

Tool([.playing()]).run()
