import Foundation
import Testing

@Suite("Checked operators")
struct CheckedOperatorsTests {
  /// `Scripts/checked-operators` sets it, to have the file written.
  private let writes = ProcessInfo.processInfo.environment["CHECKED_OPERATORS"] == "write"

  @Test(
    "The trait `CheckedTransforms` covers each operator that takes a plain closure",
    arguments: CheckedOperators.modules)
  func all(module: String) throws {
    let checked = CheckedOperators(Repository.sources, of: module)
    let file = Repository.root.appending(path: CheckedOperators.path(of: module))
    if writes { try Data(checked.text.utf8).write(to: file) }
    func unformatted(_ text: String) -> String { text.filter { !$0.isWhitespace } }

    let text = try String(contentsOf: file, encoding: .utf8)

    #expect(unformatted(text) == unformatted(checked.text), "Scripts/checked-operators writes it anew")
    #expect(checked.count > 50)
  }
}
