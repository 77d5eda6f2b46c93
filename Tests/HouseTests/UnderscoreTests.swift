import Foundation
import Testing

@Suite("Underscored attributes and names")
struct UnderscoreTests {
  @Test(
    "Each underscored attribute and public name is in the list of `Docs/contributing/engine.md`, and no other"
  )
  func listed() throws {
    let guide = try #require(TextFile(path: "Docs/contributing/engine.md"))
    let list = guide.lines.drop { $0 != "## Underscored attributes and names" }
      .compactMap { $0.prefixMatch(of: /\|\ `(@?_\w+)` \|/).map { String($0.1) } }
    // Most lines are ruled out before the expressions, which are slow.
    let code = Repository.sources.filter { !$0.path.isIn("Sources/C") }
      .flatMap { $0.lines.filter { $0.contains("_") }.map(\.code) }

    let attributes = code.filter { $0.contains("@_") }.flatMap {
      $0.matches(of: /@_\w+/).map { String($0.output) }
    }
    let names = code.filter { $0.contains("public ") }.compactMap {
      $0.firstMatch(of: /public .*(?:var|func|struct|protocol|class|enum|typealias) (_\w+)/).map {
        String($0.1)
      }
    }

    #expect(Set(attributes + names) == Set(list))
    #expect(Set(list).count == list.count)
  }
}
