import Foundation
import Testing

/// What is in folders called `Generated`.
@Suite("Generated files")
struct GeneratedTests {
  /// `Scripts/generate` sets it, to have the files written.
  private let writes = ProcessInfo.processInfo.environment["STREAMS_GENERATED"] == "write"

  @Test("There is a type and a method for each number of publishers that Combine merges, zips or combines")
  func arities() throws {
    try expect(Arities.path, Arities.text)
  }

  @Test(
    "The trait `CheckedTransforms` covers each operator that takes a plain closure",
    arguments: CheckedOperators.modules)
  func checkedOperators(module: String) throws {
    let checked = CheckedOperators(Repository.sources, of: module)

    try expect(CheckedOperators.path(of: module), checked.text)

    #expect(checked.count > 50)
  }

  /// Expects that the file has this text, formatted.
  private func expect(_ path: String, _ expected: String) throws {
    let file = Repository.root.appending(path: path)
    if writes { try Data(expected.utf8).write(to: file) }
    func unformatted(_ text: String) -> String { text.filter { !$0.isWhitespace } }

    let text = try String(contentsOf: file, encoding: .utf8)

    #expect(unformatted(text) == unformatted(expected), "Scripts/generate writes it anew")
  }
}
