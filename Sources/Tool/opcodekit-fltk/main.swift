import Playing
import PluginBuilding
import WidgetOpcodes

// The commands that play on sound devices, for pieces with widgets of FLTK.

Tool([.playing { WidgetBoard.install(in: $0) }]).run()
