import Foundation
import FoundationXML

/// Results as JUnit XML, which CI systems read.
package enum JUnit {
  package struct Suite {
    package var name: String
    package var cases: [Case]

    package init(name: String, cases: [Case]) { (self.name, self.cases) = (name, cases) }
  }

  package struct Case {
    package enum Outcome: Equatable {
      case success
      case failure(String)
      case error(String)
      case skipped(String)
      case output(String)
    }

    package var name: String
    package var outcome: Outcome

    package init(name: String, outcome: Outcome) { (self.name, self.outcome) = (name, outcome) }
  }

  /// `partial` is given if the run was stopped before its end; the XML then has an error for that,
  /// too.
  package static func text(_ suites: [Suite], partial: PartialRun? = nil) -> String {
    let stopped = partial.map { partial in
      Suite(name: "run", cases: [Case(name: "to its end", outcome: .error(partial.sentence))])
    }
    let suites = suites + [stopped].compactMap(\.self)
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
