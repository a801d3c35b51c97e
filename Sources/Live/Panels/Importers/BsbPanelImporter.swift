import Foundation
public import HarnessBase

/// Reads the sections `<bsbPanel>` and `<bsbPresets>`, which CsoundQt and its predecessors write.
///
/// | object | becomes |
/// |---|---|
/// | `BSBHSlider`, `BSBVSlider` | slider |
/// | `BSBKnob` | knob |
/// | `BSBSpinBox`, `BSBScrollNumber` | number |
/// | `BSBCheckBox` | switch |
/// | `BSBButton` | button, with a latch a switch; with the type `event` it sends its score lines |
/// | `BSBDropdown` | menu, its choices counted from 0 |
/// | `BSBController` | pad; with the types `fill`, `llif`, `line` a slider, or a meter if the piece writes it |
/// | `BSBLabel`, `BSBDisplay` | text, label |
/// | `BSBLineEdit` | field |
/// | `BSBGraph`, `BSBTableDisplay` | table |
/// | `BSBScope` | scope of the output |
/// | `BSBConsole` | console |
///
/// Left out: what the reserved channels `_Play`, `_Stop`, `_Browse1` and so on do in CsoundQt (a file's name is
/// typed), pictures on buttons.
public enum BsbPanelImporter {
  /// The panel of a CSD, with `title` unless the CSD has a title of its own; nil if the CSD has no such panel.
  public static func panel(of csd: String, title: String) throws(Failure) -> Panel? {
    guard let section = CsdSection.whole("bsbPanel", of: csd) else { return nil }
    let (root, errorLine) = BsbElement.elements(of: section)
    var panel = Panel(title, from: .bsbPanel)
    panel.size = PanelSize(root.number("width") ?? 0, root.number("height") ?? 0)
    if panel.size?.width == 0 || panel.size?.height == 0 { panel.size = nil }
    panel.background = root.color("bgcolor")
    if let label = root.text("label"), !label.isEmpty, label != "Widgets" { panel.title = label }
    var objects = BsbObjects(panel, csd: csd)
    for object in root.children where object.name == "bsbObject" { objects.add(object) }
    if let errorLine {
      objects.panel.leaveOut("bsbPanel", reason: "It is invalid XML from its line \(errorLine) on.")
    }
    guard !objects.panel.widgets.isEmpty || errorLine != nil else { return nil }
    objects.addPresets(of: csd)
    return objects.panel
  }
}
