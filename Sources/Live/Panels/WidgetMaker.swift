/// Makes widgets while a piece plays, as the FL opcodes do.
public protocol WidgetMaker: AnyObject, Sendable {
  /// What it has made so far, and a number that grows with every change. Any thread may read it.
  var panel: (panel: Panel, revision: Int) { get }
}
