extension NewPackage {
  /// What Visual Studio Code can do in the package: its tasks, its debugger, the extensions that these need.
  var editorFiles: [(path: String, text: String)] {
    [
      (".vscode/tasks.json", tasks), (".vscode/launch.json", launch),
      (
        ".vscode/extensions.json",
        #"{ "recommendations": ["swiftlang.swift-vscode", "ms-vscode.cpptools"] }"# + "\n"
      ),
    ]
  }

  private var plugin: String { "lib\(name.lowercased()).so" }

  private var tasks: String {
    """
    {
      "version": "2.0.0",
      "tasks": [
    \([
      task("build", "opcodekit build", group: "build"), task("test", "opcodekit test", group: "test"),
      task("unit tests", "swift test"), task("play", "opcodekit play csd/\(opcode.name).csd"),
      task("debug plugin", "swift build"),
    ].joined(separator: ",\n"))
      ]
    }

    """
  }

  /// A task; the group's default task has a key of its own in the editor.
  private func task(_ label: String, _ command: String, group: String? = nil) -> String {
    """
        {
          "label": "\(label)",
          "type": "shell",
          "command": "\(command)",\(group.map { "\n      \"group\": { \"kind\": \"\($0)\", \"isDefault\": true }," } ?? "")
          "problemMatcher": {
            "owner": "swift",
            "fileLocation": "absolute",
            "pattern": {
              "regexp": "^(/.+?):(\\\\d+):(\\\\d+): (error|warning): (.*)$",
              "file": 1, "line": 2, "column": 3, "severity": 4, "message": 5
            }
          }
        }
    """
  }

  private var launch: String {
    """
    {
      "version": "0.2.0",
      "configurations": [
        {
          "name": "\(opcode.name) in Csound",
          "type": "cppdbg",
          "request": "launch",
          "MIMode": "gdb",
          "preLaunchTask": "debug plugin",
          "program": "/usr/bin/csound",
          "args": ["--opcode-lib=.build/debug/\(plugin)", "-n", "csd/\(opcode.name).csd"],
          "cwd": "${workspaceFolder}",
          "setupCommands": [{ "text": "set breakpoint pending on" }]
        }
      ]
    }

    """
  }
}
