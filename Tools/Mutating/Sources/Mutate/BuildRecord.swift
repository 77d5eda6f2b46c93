import Foundation

/// How the package manager built the tests: the commands that it keeps in `.build`.
///
/// They make it possible to compile only the files with mutants, and to link them with all other objects as they are.
struct BuildRecord {
  /// Where the products are.
  let products: String
  private let commands: [String: [String]]

  init(root: String) throws {
    products = URL(fileURLWithPath: "\(root)/.build/debug").resolvingSymlinksInPath().path
    let text = try String(contentsOfFile: "\(root)/.build/debug.yaml", encoding: .utf8)
    var commands: [String: [String]] = [:], name = ""
    let arguments = "    args: "
    for line in text.split(separator: "\n") {
      if line.hasPrefix("  \""), line.hasSuffix("\":") {
        name = String(line.dropFirst(3).dropLast(2))
      } else if line.hasPrefix(arguments) {
        let data = Data(line.dropFirst(arguments.count).utf8)
        commands[name] = try JSONDecoder().decode([String].self, from: data)
      }
    }
    self.commands = commands
  }

  /// The command that compiles a module of Swift.
  func module(_ name: String) throws -> [String] { try only("C.\(name)-", ".module") }

  /// The command that links a program, or all tests.
  func program(_ name: String) throws -> [String] { try only("C.\(name)-", ".exe") }
  func tests() throws -> [String] { try only("C.StreamsPackageTests-", ".test") }

  /// The command that compiles a source in C.
  func c(_ target: String, _ path: String) throws -> [String] {
    try only("\(products)/\(target).build/\(path).o", "")
  }

  private func only(_ start: String, _ end: String) throws -> [String] {
    let found = commands.filter { $0.key.hasPrefix(start) && $0.key.hasSuffix(end) }
    guard found.count == 1, let command = found.first?.value else {
      throw Tree.Failure(description: "the record of the build has \(found.count) commands \(start)…\(end)")
    }
    return command
  }

  /// The object of each source of a module.
  static func objects(of module: [String]) throws -> [String: String] {
    struct Outputs: Decodable { let object: String? }
    let data = try Data(contentsOf: URL(fileURLWithPath: try value("-output-file-map", module)))
    return try JSONDecoder().decode([String: Outputs].self, from: data).compactMapValues(\.object)
  }

  /// What follows an option.
  static func value(_ option: String, _ command: [String]) throws -> String {
    guard let place = command.firstIndex(of: option), place + 1 < command.count else {
      throw Tree.Failure(description: "the record of the build has a command without \(option)")
    }
    return command[place + 1]
  }
}
