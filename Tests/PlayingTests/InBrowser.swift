import TestPages
import Testing

extension Trait where Self == ConditionTrait {
  /// Where there is a browser.
  static var inBrowser: Self {
    .enabled(
      if: Browser.path != nil,
      "chromium-headless-shell is not installed; panels were tried in no browser.")
  }
}
