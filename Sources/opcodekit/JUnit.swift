import Foundation
import FoundationXML
import Validating

/// Results as JUnit XML, which CI systems read.
enum JUnit {
  struct Suite {
    var name: String
    var cases: [Case]
  }

  struct Case {
    enum Outcome: Equatable {
      case success
      case failure(String)
      case error(String)
      case skipped(String)
      case output(String)
    }

    var name: String
    var outcome: Outcome
  }

  static func text(_ suites: [Suite]) -> String {
    let root = XMLElement(name: "testsuites")
    for suite in suites {
      var counts = ["failure": 0, "error": 0, "skipped": 0]
      let items = suite.cases.map { testCase in
        let item = element("testcase", ["classname": suite.name, "name": testCase.name])
        switch testCase.outcome {
        case .success: break
        case .failure(let message): add("failure", message)
        case .error(let message): add("error", message)
        case .skipped(let message): add("skipped", message)
        case .output(let text): item.addChild(XMLElement(name: "system-out", stringValue: text))
        }
        func add(_ name: String, _ message: String) {
          counts[name, default: 0] += 1
          item.addChild(element(name, ["message": message]))
        }
        return item
      }
      let node = element(
        "testsuite",
        [
          "name": suite.name, "tests": "\(items.count)", "failures": "\(counts["failure"]!)",
          "errors": "\(counts["error"]!)", "skipped": "\(counts["skipped"]!)",
        ])
      for item in items { node.addChild(item) }
      root.addChild(node)
    }
    let document = XMLDocument(rootElement: root)
    document.characterEncoding = "UTF-8"
    document.version = "1.0"
    return document.xmlString(options: .nodePrettyPrint) + "\n"
  }

  private static func element(_ name: String, _ attributes: [String: String]) -> XMLElement {
    let element = XMLElement(name: name)
    for (key, value) in attributes.sorted(by: { $0.key < $1.key }) {
      element.addAttribute(XMLNode.attribute(withName: key, stringValue: value) as! XMLNode)
    }
    return element
  }
}

extension JUnit.Suite {
  /// A validated overload, a case for each check.
  init(_ subject: Validator.Subject) {
    name = subject.title
    cases = subject.results.map { result in
      let message = result.outcome.message
      let outcome: JUnit.Case.Outcome =
        switch result.outcome.kind {
        case .success: .success
        case .failed: .failure(message)
        case .crashed: .error(message)
        case .skipped: .skipped(message)
        case .warning: .output("warning: " + message)
        }
      return JUnit.Case(name: result.check.id, outcome: outcome)
    }
  }
}
