import Foundation
import FoundationXML
import Harness

/// Results as JUnit XML, which CI systems read.
enum JUnit {
  /// A suite for each overload, a case for each check.
  static func text(_ subjects: [Validator.Subject]) -> String {
    let suites = subjects.map { subject in
      let suite = element(
        "testsuite",
        [
          "name": subject.title, "tests": "\(subject.results.count)",
          "failures": "\(subject.count(.failed))", "errors": "\(subject.count(.crashed))",
          "skipped": "\(subject.count(.skipped))",
        ])
      for result in subject.results {
        let item = element(
          "testcase", ["classname": subject.title, "name": result.check.id])
        let message = ["message": result.outcome.message]
        switch result.outcome.kind {
        case .success: break
        case .failed: item.addChild(element("failure", message))
        case .crashed: item.addChild(element("error", message))
        case .skipped: item.addChild(element("skipped", message))
        case .warning:
          let output = XMLElement(
            name: "system-out", stringValue: "warning: " + message["message"]!)
          item.addChild(output)
        }
        suite.addChild(item)
      }
      return suite
    }
    return document(suites)
  }

  /// Suites as a file.
  static func document(_ suites: [XMLElement]) -> String {
    let root = XMLElement(name: "testsuites")
    for suite in suites { root.addChild(suite) }
    let document = XMLDocument(rootElement: root)
    document.characterEncoding = "UTF-8"
    document.version = "1.0"
    return document.xmlString(options: .nodePrettyPrint) + "\n"
  }

  static func element(_ name: String, _ attributes: [String: String]) -> XMLElement {
    let element = XMLElement(name: name)
    for (key, value) in attributes.sorted(by: { $0.key < $1.key }) {
      element.addAttribute(XMLNode.attribute(withName: key, stringValue: value) as! XMLNode)
    }
    return element
  }
}
