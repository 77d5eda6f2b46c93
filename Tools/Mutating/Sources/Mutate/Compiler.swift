import Foundation

/// Compiles single files the way the package manager does, and links programs with them.
struct Compiler: Sendable {
  let root: String
  let jobs: Int
  /// The switches: `CMutants` as a module of C.
  let switches: String

  /// A file with mutants: which source it is, and where its text and its object are.
  struct File: Sendable {
    let source: String
    let text: String
    let object: String
  }

  /// Files that are compiled together do not compile if one of them does not.
  struct Failure: Sendable {
    let files: [File]
    let output: String
  }

  init(root: String, folder: String, jobs: Int) throws {
    self.root = root
    self.jobs = jobs
    switches = "\(folder)/switches"
    try FileManager.default.createDirectory(atPath: switches, withIntermediateDirectories: true)
    let header = "\(root)/Tools/Mutating/Switches/include/CMutants.h"
    try "module CMutants { header \"\(header)\" export * }\n"
      .write(toFile: "\(switches)/module.modulemap", atomically: true, encoding: .utf8)
  }

  /// - Returns: What does not compile.
  func swift(_ module: [String], _ files: [File]) throws -> [Failure] {
    let sources = try BuildRecord.objects(of: module).keys.sorted()
    let tools = URL(fileURLWithPath: module[0]).deletingLastPathComponent().path
    let common =
      [
        "\(tools)/swift-frontend", "-frontend", "-c", "-suppress-warnings", "-disable-objc-interop",
        "-plugin-path", "\(tools)/../lib/swift/host/plugins", "-Xcc",
        "-fmodule-map-file=\(switches)/module.modulemap",
      ] + Self.frontendOptions(module)
    // As many processes as there are cores; each reads all files of the module, and compiles its own.
    let parts = (0..<min(jobs, files.count)).map { part in
      files.enumerated().filter { $0.offset % jobs == part }.map(\.element)
    }
    return try parallel(parts.count, jobs: jobs) { index in
      let own = Dictionary(uniqueKeysWithValues: parts[index].map { ($0.source, $0) })
      var command = common
      for source in sources { command += own[source].map { ["-primary-file", $0.text] } ?? [source] }
      // Outputs are in the order of the files.
      for source in sources { command += own[source].map { ["-o", $0.object] } ?? [] }
      return try run(command).map { Failure(files: parts[index], output: $0) }
    }.compactMap(\.self)
  }

  /// What the driver of the compiler is given, without what it does not pass on.
  private static func frontendOptions(_ module: [String]) -> [String] {
    let values: Set<String> = [
      "-emit-module-path", "-output-file-map", "-index-store-path", "-emit-objc-header-path",
    ]
    let others: Set<String> = [
      "-emit-dependencies", "-emit-module", "-emit-objc-header", "-incremental", "-c", "-enable-batch-mode",
      "-serialize-diagnostics", "-parseable-output",
    ]
    var result: [String] = [], rest = module.dropFirst()
    while let option = rest.popFirst() {
      if values.contains(option) {
        rest = rest.dropFirst()
      } else if option == "-Xcc" {
        result += [option] + rest.prefix(1)
        rest = rest.dropFirst()
      } else if !others.contains(option), !option.hasPrefix("@"), !option.hasPrefix("-j") {
        result.append(option)
      }
    }
    return result
  }

  func c(_ command: [String], _ file: File) throws -> Failure? {
    let folder = URL(fileURLWithPath: file.source).deletingLastPathComponent().path
    var own = command.filter { $0 != "-MD" }
    for option in ["-MT", "-MF", "-index-store-path"] {
      if let place = own.firstIndex(of: option) { own.removeSubrange(place...place + 1) }
    }
    own = own.map { $0 == file.source ? file.text : $0 }
    if let place = own.firstIndex(of: "-o") { own[place + 1] = file.object }
    // It includes what is beside the source, and the switches.
    own += ["-w", "-iquote", folder, "-I", "\(root)/Tools/Mutating/Switches/include"]
    return try run(own).map { Failure(files: [file], output: $0) }
  }

  /// Links a program with other objects for some, and one more.
  func link(
    _ command: [String], replacing objects: [String: String], adding object: String, as program: String
  ) throws {
    guard let list = command.first(where: { $0.hasPrefix("@") }) else {
      throw Tree.Failure(description: "the record of the build has a program without objects")
    }
    var lines = try String(contentsOfFile: String(list.dropFirst()), encoding: .utf8)
      .split(separator: "\n").map(String.init)
    // Those with mutants first: of a function that several objects have, such as a closure of a transparent function, the
    // linker takes the first.
    lines = lines.compactMap { objects[$0] } + lines.filter { objects[$0] == nil } + [object]
    let own = program + ".objects"
    try (lines.joined(separator: "\n") + "\n").write(toFile: own, atomically: true, encoding: .utf8)
    var linking = command.map { $0 == list ? "@\(own)" : $0 }
    linking[linking.firstIndex(of: "-o")! + 1] = program
    if let output = try run(linking) {
      throw Tree.Failure(description: "\(program) does not link:\n\(output)")
    }
  }

  /// The object with the switches.
  func switchesObject(like command: [String]) throws -> String {
    let object = "\(switches)/mutants.o"
    let own = [
      command[0], "-O0", "-fPIC", "-c", "\(root)/Tools/Mutating/Switches/mutants.c", "-o", object, "-I",
      "\(root)/Tools/Mutating/Switches/include",
    ]
    if let output = try run(own) { throw Tree.Failure(description: output) }
    return object
  }

  /// - Returns: What it says if it fails.
  private func run(_ command: [String]) throws -> String? {
    let outcome = try Command(
      arguments: command, folder: root, environment: ProcessInfo.processInfo.environment
    ).run()
    if outcome.end == .exited(0) { return nil }
    return outcome.output.isEmpty ? "\(command[0]): \(outcome.end)" : outcome.output
  }
}
