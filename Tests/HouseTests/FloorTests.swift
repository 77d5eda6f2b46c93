import Testing

/// Who may import whom. An arrow never points up.
@Suite("Module dependencies")
struct FloorTests {
  /// What the C library is called on different systems.
  static let system: Set = ["Glibc", "Musl", "Bionic", "Darwin", "WinSDK"]
  static let foundation: Set = [
    "Foundation", "FoundationNetworking", "CoreFoundation", "Dispatch", "CDispatch",
  ]

  static let floors: [String: Set<String>] = [
    "Streams": ["Synchronization", "CThreads"],
    "StreamsExtras": ["Streams", "Synchronization", "CThreads"],
    "StreamsFoundationExtras": foundation.union(["Streams", "StreamsExtras", "StreamsFoundation"]),
    "StreamsTesting": foundation.union([
      "Streams", "StreamsExtras", "StreamsFoundation", "StreamsFoundationExtras", "Synchronization",
      "CThreads",
    ]),
    "StreamsFoundation": foundation.union(["Streams", "Synchronization"]),
    "StreamsInspector": ["Streams", "StreamsExtras", "LoopbackSockets", "CThreads", "Synchronization"],
    "LoopbackSockets": system.union(["Streams"]),
    "Interleavings": system.union(["CInterleavings", "Foundation", "Testing"]),
    "InterleavingsStreams": ["Interleavings", "CInterleavings", "Streams"],
    "ImageCodecs": ["CCodecs", "CSandbox", "CZimg", "Synchronization"],
    "ImageWorkerProgram": system.union(["ImageCodecs"]),
    "LoopbackServer": foundation.union([
      "Streams", "StreamsExtras", "LoopbackSockets", "Synchronization",
    ]),
    "StreamImages": foundation.union(system).union([
      "Streams", "StreamsExtras", "StreamsFoundation", "StreamsFoundationExtras", "ImageCodecs", "CTransport",
      "CCrypto",
      "Synchronization",
    ]),
    "StreamImagesTesting": foundation.union(["Streams", "StreamsExtras", "StreamImages", "Synchronization"]),
  ]

  /// The one file of `Streams` that leads to the main queue, the one that blocks a thread, the one that reads the standard library's reflection,
  /// which has to be asked for by name, and the two that observe `@Observable` objects: Observation is a module of
  /// every toolchain, and stands beside the standard library.
  static let exceptions = [
    "Sources/Streams/Isolation/MainQueue.swift": "Dispatch",
    "Sources/StreamsExtras/Blocking.swift": "Dispatch",
    "Sources/Streams/Observing/WillChange.swift": "Swift",
    "Sources/Streams/Observing/ObservationSignals.swift": "Observation",
    "Sources/StreamsExtras/Observing/Publishers+observing.swift": "Observation",
  ]

  @Test("Each module imports only the modules below it", arguments: floors.keys.sorted())
  func imports(module: String) {
    let files = Repository.sources.filter { $0.path.isIn("Sources/\(module)") }

    let wrong = files.flatMap { file in
      file.places { line in
        guard let imported = importedModule(line) else { return false }
        return Self.floors[module]?.contains(imported) != true && Self.exceptions[file.path] != imported
      }
    }

    #expect(!files.isEmpty)
    #expect(wrong == [])
  }

  @Test("Each module has a list of allowed imports")
  func modules() {
    let modules = Set(Repository.sources.map { String($0.path.split(separator: "/")[1]) })

    #expect(modules == Set(Self.floors.keys))
  }

  @Test("No file uses a testable import, except the explorer's image scenarios")
  func testable() {
    let attribute = "@" + "testable"
    let tests = Repository.swift.filter { !$0.path.isIn("Tests/Exploring/Sources/ImageScenarios") }

    let wrong = tests.flatMap { file in file.places { $0.code.contains(attribute) } }

    #expect(wrong == [])
  }

  /// `Streams` of `@preconcurrency public import struct Streams.Just`.
  private func importedModule(_ line: String) -> String? {
    let words = line.code.split(separator: " ")
    guard let position = words.firstIndex(of: "import"),
      words[..<position].allSatisfy({ $0.hasPrefix("@") || Self.levels.contains(String($0)) })
    else { return nil }
    let kinds: Set = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
    let name = words[(position + 1)...].first { !kinds.contains(String($0)) }
    return name.map { String($0.prefix { $0 != "." }) }
  }

  private static let levels: Set = ["public", "package", "internal", "fileprivate", "private"]
}
