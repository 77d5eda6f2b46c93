import Testing

@Suite("Package manifest")
struct ManifestTests {
  /// SwiftPM passes the names of several enabled traits to the compiler in random order, and compiles everything again
  /// when the order changes. That happens in each package that depends on this one.
  @Test("The manifest enables one trait by default")
  func defaultTraits() throws {
    let manifest = try #require(Repository.swift.first { $0.path == "Package.swift" })
    let defaults = manifest.lines.filter { $0.contains(".default(enabledTraits:") }

    #expect(defaults.map { $0.split(separator: "\"").count } == [3], "Not one name: \(defaults)")
  }

  /// A program without the trait would need the library to build and to run.
  @Test(
    "The library of an optional format is compiled and linked with its trait only",
    arguments: [
      ("AVIF", "CLibAVIF", "avif", "avif/"), ("HEIF", "CLibHEIF", "heif", "libheif/"),
      ("JPEGXL", "CLibJXL", "jxl", "jxl/"), ("TIFF", "CLibTIFF", "tiff", "tiffio"),
    ])
  func optionalLibraries(trait: String, module: String, library: String, header: String) throws {
    let manifest = try #require(Repository.swift.first { $0.path == "Package.swift" })
    let condition = ".when(traits: [\"AllFormats\", \"\(trait)\"])"
    let uses = manifest.lines.filter {
      $0.contains(".linkedLibrary(\"\(library)\"") || $0.contains(".target(name: \"\(module)\"")
        || $0.contains(".define(\"CODECS_\(trait)\"")
    }
    let sources = Repository.texts.filter { file in
      file.path.isIn("Sources/C/Codecs") && file.path.hasSuffix(".c")
        && file.lines.contains { $0.hasPrefix("#include <\(header)") }
    }

    #expect(uses.count >= 4 && uses.allSatisfy { $0.contains(condition) }, "\(uses)")
    #expect(sources.count >= 1)
    #expect(sources.filter { $0.lines.first != "#ifdef CODECS_\(trait)" }.map(\.path) == [])
    #expect(sources.filter { $0.lines.last { !$0.isEmpty } != "#endif" }.map(\.path) == [])
  }

  @Test(
    "Each product is mentioned in the pages and scripts that list products",
    arguments: [
      "README.md", "Docs/faq.md", "Docs/Guides.docc/Guides.md", "CHANGELOG.md", ".spi.yml", "Scripts/docs",
      "Scripts/interface", "Tools/Newcomer/pages.py",
    ])
  func products(path: String) throws {
    let manifest = try #require(Repository.swift.first { $0.path == "Package.swift" })
    let products = names(of: manifest, /\.library\(name: "(\w+)"/)
    let words = Set(
      try #require(TextFile(path: path)).lines.flatMap {
        $0.matches(of: /\w+/).map { String($0.output) }
      })

    #expect(products.count >= 8)
    #expect(products.filter { !words.contains($0) } == [])
  }

  /// The package manager finds a module without its product, if another target has built it before. So a forgotten product is
  /// noticed by some builds only.
  @Test("Each manifest of an example or an integration names the products that its sources import")
  func examples() throws {
    let root = try #require(TextFile(path: "Package.swift"))
    let products = Set(names(of: root, /\.library\(name: "(\w+)"/))
    let manifests = Repository.texts.filter {
      ($0.path.isIn("Examples") || $0.path.isIn("Integrations")) && $0.path.hasSuffix("/Package.swift")
    }

    let forgotten = manifests.flatMap { manifest in
      let folder = String(manifest.path.dropLast("/Package.swift".count))
      let imported = Repository.swift.filter { $0.path.isIn(folder) }
        .flatMap { names(of: $0, /^(?:\w+ )?import (\w+)$/) }
      return Set(imported).intersection(products)
        .subtracting(names(of: manifest, /\.product\(name: "(\w+)", package: "Streams"\)/))
        .map { "\(folder): \($0)" }
    }

    #expect(manifests.count >= 4)
    #expect(forgotten.sorted() == [])
  }

  private func names(of file: TextFile, _ pattern: Regex<(Substring, Substring)>) -> [String] {
    file.lines.flatMap { line in line.matches(of: pattern).map { String($0.1) } }
  }
}
