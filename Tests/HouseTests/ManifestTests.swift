import Testing

@Suite("The manifest")
struct ManifestTests {
  /// SwiftPM passes the names of several enabled traits to the compiler in random order, and compiles everything again
  /// when the order changes. That happens in each package that depends on this one.
  @Test("enables one trait by default, so that builds compile only what changed")
  func defaultTraits() throws {
    let manifest = try #require(Repository.swift.first { $0.path == "Package.swift" })
    let defaults = manifest.lines.filter { $0.contains(".default(enabledTraits:") }

    #expect(defaults.map { $0.split(separator: "\"").count } == [3], "Not one name: \(defaults)")
  }

  @Test(
    "has no product that a page or a script forgets",
    arguments: [
      "README.md", "Docs/faq.md", "Docs/Guides.docc/Guides.md", "CHANGELOG.md", ".spi.yml", "Scripts/docs",
      "Scripts/interface", "Scripts/newcomer", "Scripts/words",
    ])
  func products(path: String) throws {
    let manifest = try #require(Repository.swift.first { $0.path == "Package.swift" })
    let products = manifest.lines.compactMap {
      $0.firstMatch(of: /\.library\(name: "(\w+)"/).map { String($0.1) }
    }
    let words = Set(
      try #require(TextFile(path: path)).lines.flatMap {
        $0.matches(of: /\w+/).map { String($0.output) }
      })

    #expect(products.count >= 8)
    #expect(products.filter { !words.contains($0) } == [])
  }
}
