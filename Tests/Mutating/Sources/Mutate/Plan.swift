import Foundation

/// Which targets are mutated, which tests judge them, and the manifest that says so.
struct Plan {
  /// The targets that can be mutated: where they are, the tests that judge them, how often they are drawn
  /// from unless paths are given, and what they are called in the last line.
  static let targets: [(name: String, folder: String, tests: [String], weight: Int, group: String)] = [
    ("StreamImages", "Sources/StreamImages", ["StreamImagesTests"], 300, "StreamImages"),
    ("ImageCodecs", "Sources/ImageCodecs", ["ImageCodecsTests", "StreamImagesTests"], 200, "ImageCodecs"),
    ("CCodecs", "Sources/C/Codecs", ["ImageCodecsTests", "StreamImagesTests"], 80, "C"),
    ("CTransport", "Sources/C/Transport", ["StreamImagesTests"], 15, "C"),
    ("CThreads", "Sources/C/Threads", ["StreamsTests", "StreamsFoundationTests"], 5, "C"),
    ("Streams", "Sources/Streams", ["StreamsTests", "StreamsFoundationTests"], 200, "Streams"),
    ("StreamsFoundation", "Sources/StreamsFoundation", ["StreamsFoundationTests"], 0, "StreamsFoundation"),
    ("StreamsTesting", "Sources/StreamsTesting", ["StreamsTestingTests"], 0, "StreamsTesting"),
  ]

  /// The target that a file belongs to.
  static func target(of path: String) -> Int? {
    targets.firstIndex { path.hasPrefix($0.folder + "/") }
  }

  let mutated: Set<String>
  let tests: Set<String>

  init(paths: [String]) {
    let indices = Set(paths.compactMap { Self.target(of: $0) })
    mutated = Set(indices.map { Self.targets[$0].name })
    tests = Set(indices.flatMap { Self.targets[$0].tests })
  }

  /// Whether the explorer of interleavings sees the mutants of a file.
  static func isExplored(_ path: String) -> Bool {
    path.hasPrefix("Sources/Streams/") || path.hasPrefix("Sources/C/Threads/")
  }

  /// What follows the manifest of the explorer in the tree.
  static let explorerAddendum = """

    // From here on: what the tree with mutants differs in.
    package.targets.append(.target(name: "CMutants"))
    for target in package.targets where ["Streams", "CThreads"].contains(target.name) {
      target.dependencies.append("CMutants")
    }

    """

  /// What follows the manifest in the tree: only what these tests need, and the switches.
  var addendum: String {
    """

    // From here on: what the tree with mutants differs in.
    let tests: Set<String> = \(tests.sorted())
    let mutated: Set<String> = \(mutated.sorted())
    var needed = tests.union(mutated), waiting = Array(needed)
    while let name = waiting.popLast() {
      for dependency in package.targets.first(where: { $0.name == name })?.dependencies ?? [] {
        switch dependency {
        case .targetItem(let name, _), .byNameItem(let name, _):
          if needed.insert(name).inserted { waiting.append(name) }
        default: break
        }
      }
    }
    package.products = []
    package.targets = package.targets.filter { needed.contains($0.name) }
    for target in package.targets where mutated.contains(target.name) {
      target.dependencies.append("CMutants")
    }
    package.targets.append(.target(name: "CMutants", path: "Tests/Mutating/Switches"))

    """
  }
}
