import Foundation
import HarnessBase
import TestSupport

/// axe-core 4.12.1, which knows what keeps screen readers and keyboards out of a page.
public enum Axe {
  /// Its JavaScript, which is fetched from PyPI once: the wheel of a package for Python holds it.
  private static let script = Result { () throws(Failure) in
    let place = "\(kitBuildDirectory)/axe-4.12.1.js"
    let fetched = try ChildProcess.run("/bin/bash", ["-c", fetch, place])
    let isOffline = fetched.ending == .exited(code: Failure.unavailable("").exitCode)
    try fetched.require(isOffline ? .unavailable : .badInput, "axe-core is not there: ")
    return String(decoding: FileManager.default.contents(atPath: place) ?? Data(), as: UTF8.self)
  }

  private static let fetch = """
    set -e
    [ ! -e "$0" ] || exit 0
    part=$(mktemp -d "$0.XXXXXX")
    trap 'rm -rf "$part"' EXIT
    cd "$part"
    pip3 download --quiet --no-deps --only-binary :all: axe-playwright-python==0.1.8 >&2 || exit 69
    file=axe_playwright_python-0.1.8-py3-none-any.whl
    sha256sum --check --status <<<"fdd263c998388f1a8e67cad02677e612d946248bd44d163be5e8650ea31f95f8 *$file" ||
      { echo "'$file' has changed." >&2; exit 65; }
    python3 -m zipfile -e "$file" .
    mv axe_playwright_python/axe.min.js "$0"
    """

  /// Why it is not asked; nil if it is. If it is there but not the right one, that is a failure of the tests.
  public static let lack: String? = {
    guard runsAllTests else { return onlyWithAll }
    guard case .failure(let failure) = script, failure.kind == .unavailable else { return nil }
    return failure.message
  }()

  /// What it finds serious or critical: the rule, what it asks for, and the elements.
  static func violations(of page: BrowserPage) throws(Failure) -> [String] {
    try page.evaluate("\(try script.get()); 0")
    let found = try page.evaluate(
      """
      axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
        .filter(({ impact }) => ['serious', 'critical'].includes(impact))
        .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(one => one.target.join(' ')).join(', ')}`))
      """)
    guard let lines = found as? [String] else { throw Browser.problem("axe-core says nothing.") }
    return lines
  }
}
