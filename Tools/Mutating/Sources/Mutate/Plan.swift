import Foundation

/// Which targets can be mutated, and which tests judge them.
enum Plan {
  struct Target {
    let name: String
    let folder: String
    /// The tests that judge its mutants. Their folders mirror its own.
    let tests: [String]
    /// How often it is drawn from unless paths are given.
    let weight: Int
    /// What it is called in the last line.
    let group: String

    var isC: Bool { folder.hasPrefix("Sources/C/") }

    init(_ name: String, _ folder: String, _ tests: [String], _ weight: Int, _ group: String) {
      (self.name, self.folder, self.tests, self.weight, self.group) = (name, folder, tests, weight, group)
    }
  }

  /// The targets that can be mutated.
  static let targets = [
    Target("StreamImages", "Sources/StreamImages", ["StreamImagesTests"], 300, "StreamImages"),
    Target(
      "ImageCodecs", "Sources/ImageCodecs", ["ImageCodecsTests", "StreamImagesTests"], 200, "ImageCodecs"),
    Target("CCodecs", "Sources/C/Codecs", ["ImageCodecsTests", "StreamImagesTests"], 80, "C"),
    Target("CTransport", "Sources/C/Transport", ["StreamImagesTests"], 15, "C"),
    Target("CThreads", "Sources/C/Threads", ["StreamsTests", "StreamsFoundationTests"], 5, "C"),
    Target("Streams", "Sources/Streams", ["StreamsTests", "StreamsFoundationTests"], 120, "Streams"),
    Target(
      "StreamsExtras", "Sources/StreamsExtras", ["StreamsTests", "StreamsFoundationTests"], 80, "Streams"),
    Target(
      "StreamsFoundation", "Sources/StreamsFoundation", ["StreamsFoundationTests"], 0, "StreamsFoundation"),
    Target("StreamsTesting", "Sources/StreamsTesting", ["StreamsTestingTests"], 0, "StreamsTesting"),
  ]

  /// What the tests are built without: it is for a trait that is off.
  static let uncompiled: Set = [
    "Sources/Streams/Generated/CheckedOperators.swift",
    "Sources/StreamsExtras/Generated/CheckedOperators.swift",
  ]

  /// The target that a file belongs to.
  static func target(of path: String) -> Int? {
    targets.firstIndex { path.hasPrefix($0.folder + "/") }
  }

  /// The tests that judge mutants of these files.
  static func tests(of paths: [String]) -> Set<String> {
    Set(paths.compactMap { target(of: $0) }.flatMap { targets[$0].tests })
  }

  /// The folders of the tests of a file: those that mirror its own, or all of its target's if there are none.
  static func folders(of path: String, among files: [String]) -> Set<String> {
    guard let target = target(of: path).map({ targets[$0] }) else { return [] }
    let own = path.dropFirst(target.folder.count + 1).split(separator: "/").dropLast()
    if let first = own.first, case let folder = "Tests/\(target.tests[0])/\(first)/",
      files.contains(where: { $0.hasPrefix(folder) })
    {
      return [folder]
    }
    return ["Tests/\(target.tests[0])/"]
  }

  /// Whether the explorer of interleavings sees the mutants of a file.
  static func isExplored(_ path: String) -> Bool {
    ["Sources/Streams/", "Sources/StreamsExtras/", "Sources/C/Threads/"].contains(where: path.hasPrefix)
  }

  /// What follows the manifest of the explorer in the tree.
  static let explorerAddendum = """

    // From here on: what the tree with mutants differs in.
    package.targets.append(.target(name: "CMutants"))
    for target in package.targets where ["Streams", "StreamsExtras", "CThreads"].contains(target.name) {
      target.dependencies.append("CMutants")
    }

    """
}
