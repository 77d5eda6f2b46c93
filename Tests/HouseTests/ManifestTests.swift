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
}
