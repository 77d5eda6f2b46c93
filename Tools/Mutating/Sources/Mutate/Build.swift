import Foundation
import Mutations

/// Builds the tests with all mutants, and leaves out those that the compiler refuses.
///
/// The tests are built as they are first. Then only files with mutants are compiled, and the programs linked once more:
/// a mutant changes nothing that other files can see. A function that the compiler has put into other files keeps its
/// original there (`@_transparent`).
struct Build {
  let tree: Tree
  let sources: [String: Source]
  let candidates: [Candidates.Candidate]
  let jobs: Int
  private(set) var refused: Set<Int> = []
  private(set) var rounds = 0

  private static let mostRounds = 25
  /// Programs that tests run.
  private static let workers = ["image-worker", "HostileWorker", "LoadingWorker"]
  private var folder: String { "\(tree.root)/.build-mutating" }
  private var products: String { "\(folder)/products" }

  init(tree: Tree, sources: [String: Source], candidates: [Candidates.Candidate], jobs: Int) {
    self.tree = tree
    self.sources = sources
    self.candidates = candidates
    self.jobs = jobs
  }

  /// - Returns: The program with all tests. Mutants have the numbers of their places in `candidates`.
  mutating func run() throws -> String {
    let outcome = try Command(
      arguments: ["swift", "build", "--build-tests", "--scratch-path", ".build"], folder: tree.root,
      environment: ProcessInfo.processInfo.environment
    ).run()
    try outcome.output.write(toFile: "\(folder)/build.log", atomically: true, encoding: .utf8)
    guard outcome.end == .exited(0) else {
      throw Tree.Failure(description: "the tests do not build, see \(folder)/build.log")
    }
    let record = try BuildRecord(root: tree.root)
    let compiler = try Compiler(root: tree.root, folder: folder, jobs: jobs)
    for part in ["mutated", "objects"] {
      try? FileManager.default.removeItem(atPath: "\(folder)/\(part)")
      try FileManager.default.createDirectory(atPath: "\(folder)/\(part)", withIntermediateDirectories: true)
    }

    var files: [String: Compiler.File] = [:], replaced: [String: String] = [:]
    var changed = Set(candidates.map(\.mutant.path))
    while !changed.isEmpty {
      rounds += 1
      for path in changed { files[path] = try write(path) }
      var failures: [Compiler.Failure] = []
      for (target, paths) in Dictionary(grouping: changed, by: { Plan.target(of: $0)! }) {
        failures += try compile(
          paths.sorted().map { files[$0]! }, Plan.targets[target], record, compiler, &replaced)
      }
      if failures.isEmpty { break }
      let output = failures.map(\.output).joined(separator: "\n")
      let more = blamed(output).subtracting(refused)
      guard !more.isEmpty, rounds < Self.mostRounds else {
        try output.write(toFile: "\(folder)/build.log", atomically: true, encoding: .utf8)
        let errors = output.split(separator: "\n").filter { $0.contains("error: ") }.prefix(5)
        throw Tree.Failure(
          description: "mutants do not build, see \(folder)/build.log\n\(errors.joined(separator: "\n"))")
      }
      refused.formUnion(more)
      changed = Set(failures.flatMap(\.files).map { String($0.source.dropFirst("\(tree.root)/".count)) })
    }
    return try link(record, compiler, replaced)
  }

  // MARK: Compiling

  /// Writes a source with its mutants.
  private mutating func write(_ path: String) throws -> Compiler.File {
    let places = candidates.indices.filter { candidates[$0].mutant.path == path && !refused.contains($0) }
    let (text, written) = Schemata.text(of: sources[path]!, places.map { ($0, candidates[$0].mutant) })
    refused.formUnion(Set(places).subtracting(written))
    let place = "\(folder)/mutated/\(path)"
    try FileManager.default.createDirectory(
      at: URL(fileURLWithPath: place).deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(toFile: place, atomically: true, encoding: .utf8)
    let object = path.replacing("/", with: "~") + ".o"
    return Compiler.File(source: "\(tree.root)/\(path)", text: place, object: "\(folder)/objects/\(object)")
  }

  /// - Returns: What does not compile.
  private func compile(
    _ files: [Compiler.File], _ target: Plan.Target, _ record: BuildRecord, _ compiler: Compiler,
    _ replaced: inout [String: String]
  ) throws -> [Compiler.Failure] {
    if target.isC {
      return try files.compactMap { file in
        let command = try record.c(
          target.name, String(file.source.dropFirst("\(tree.root)/\(target.folder)/".count)))
        replaced[try BuildRecord.value("-o", command)] = file.object
        return try compiler.c(command, file)
      }
    }
    let module = try record.module(target.name), objects = try BuildRecord.objects(of: module)
    for file in files {
      guard let object = objects[file.source] else {
        throw Tree.Failure(description: "the record of the build does not have \(file.source)")
      }
      replaced[object] = file.object
    }
    return try compiler.swift(module, files)
  }

  /// Puts all programs side by side, as tests expect them.
  private func link(_ record: BuildRecord, _ compiler: Compiler, _ replaced: [String: String]) throws
    -> String
  {
    let manager = FileManager.default
    try? manager.removeItem(atPath: products)
    try manager.createDirectory(atPath: products, withIntermediateDirectories: true)
    for name in try manager.contentsOfDirectory(atPath: record.products) where name.hasSuffix(".resources") {
      try manager.createSymbolicLink(
        atPath: "\(products)/\(name)", withDestinationPath: "\(record.products)/\(name)")
    }
    let tests = try record.tests(),
      switches = try compiler.switchesObject(like: record.c("CThreads", "CThreads.c"))
    let programs =
      try [("StreamsPackageTests.xctest", tests)] + Self.workers.map { ($0, try record.program($0)) }
    let products = products
    _ = try parallel(programs.count, jobs: jobs) { index in
      let (name, command) = programs[index]
      try compiler.link(command, replacing: replaced, adding: switches, as: "\(products)/\(name)")
    }
    return "\(products)/StreamsPackageTests.xctest"
  }

  /// - Returns: The explorer with the same mutants; nil if it does not build with them.
  func explorer() throws -> String? {
    var texts: [String: String] = [:]
    for path in Set(candidates.map(\.mutant.path)) {
      texts[path] = try String(contentsOfFile: "\(folder)/mutated/\(path)", encoding: .utf8)
    }
    try tree.write(texts)
    let scratch = "\(folder)/explorer"
    let outcome = try Command(
      arguments: [
        "swift", "build", "-c", "release", "--product", "Explore", "--package-path",
        "\(tree.folder)/Tests/Exploring", "--scratch-path", scratch,
      ], folder: tree.folder, environment: ProcessInfo.processInfo.environment
    ).run()
    try outcome.output.write(toFile: scratch + ".log", atomically: true, encoding: .utf8)
    return outcome.end == .exited(0) ? "\(scratch)/release/Explore" : nil
  }

  // MARK: Blaming

  /// The mutants that errors are about: those of the line, in as few lines as possible; else those of the
  /// function that is around it; else those of the file.
  private func blamed(_ output: String) -> Set<Int> {
    var result: Set<Int> = []
    let places = Set(output.split(separator: "\n").compactMap { place(String($0)) })
    for place in places {
      let there = candidates.indices.filter {
        candidates[$0].mutant.path == place.path && !refused.contains($0)
      }
      let onLine = there.filter { candidates[$0].mutant.lines.contains(place.line) }
      let least = onLine.map { candidates[$0].mutant.lines.count }.min()
      let inFunction = there.filter { candidates[$0].mutant.function?.contains(place.line) ?? false }
      if let least {
        result.formUnion(onLine.filter { candidates[$0].mutant.lines.count == least })
      } else {
        result.formUnion(inFunction.isEmpty ? there : inFunction)
      }
    }
    return result
  }

  private struct Place: Hashable {
    let path: String
    let line: Int
  }

  /// `…/mutated/Sources/….swift:12:3: error: …`, and where a compiler that crashes says it was.
  private func place(_ text: String) -> Place? {
    guard text.contains(": error: ") || text.contains(" at [") else { return nil }
    // `#line` names a source in C as it was written.
    guard let start = text.range(of: "\(folder)/mutated/")?.upperBound else { return nil }
    let fields = text[start...].split(separator: ":", maxSplits: 2)
    guard fields.count == 3, let line = Int(fields[1]) else { return nil }
    return Place(path: String(fields[0]), line: line)
  }
}
