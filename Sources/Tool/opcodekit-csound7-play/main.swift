import CommandKit
import LiveCommands

// The commands that play on sound devices, in a Csound 7 engine.

Project.serveHandedOver([.playing])
