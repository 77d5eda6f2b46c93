import Foundation

/// A public declaration of Streams or StreamsExtras, and the comment above it.
struct Comment {
  static let modules = ["Streams", "StreamsExtras"]

  let module: String
  /// The file, within `Sources`.
  let file: String
  /// The declaration in one line, without `public` and attributes.
  let declaration: String
  /// The extension or type around the declaration.
  let context: String
  /// The lines of the comment, without slashes.
  let text: [String]

  /// The lines of the first block of Swift code.
  var code: [String] {
    let start = text.firstIndex(of: "```swift").map { $0 + 1 } ?? text.count
    return Array(text[start...].prefix { $0 != "```" })
  }

  /// The files that it shows as images.
  var images: [String] {
    text.compactMap { $0.firstMatch(of: /!\[[^\]]+\]\(([^)]+)\)/).map { String($0.1) } }
  }

  /// Whether this is an operator that has a time or several upstreams, by its parameters and its kind.
  var needsDiagram: Bool {
    guard declaration.contains("func "), isOperator else { return false }
    let signature = declaration.prefix { $0 != "{" }
    return signature.contains(#/: (Scheduler|Publisher)[^a-zA-Z]/#)
      || context.contains("Collection where Element: Publisher")
      || signature.contains(
        #/func (switchToLatest|retry|`repeat`|share|multicast|groupBy|window|partition|timerPublisher)[^a-zA-Z]/#
      )
  }

  /// Operators return publishers, and are methods of publishers, of collections of them, or of schedulers.
  private var isOperator: Bool {
    context.contains(#/^extension (Publisher|ConnectablePublisher|Collection|Scheduler) /#)
      && declaration.contains(#/-> [^{]*Publisher/#)
      && !Self.undrawn.contains { declaration.contains($0.key) }
  }

  /// Operators without a diagram, and why.
  private static let undrawn: KeyValuePairs = [
    "func receive<": "moves signals to another thread, not to another time",
    "func subscribe<": "moves the subscription to another thread, not to another time",
    "func asyncFlatMap<": "runs tasks, which virtual time does not control",
  ]

  private static let openers = [
    "extension ", "public ", "package ", "final ", "protocol ", "struct ", "class ", "enum ",
  ]

  static func all() throws -> [Comment] {
    try modules.flatMap { module in
      let folder = Repository.root + "Sources/" + module
      let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
      return try files.filter { $0.hasSuffix(".swift") && !$0.hasSuffix("CheckedOperators.swift") }.sorted()
        .flatMap { file in
          let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
          return comments(of: text.components(separatedBy: "\n"), module, "\(module)/\(file)")
        }
    }
  }

  private static func comments(of lines: [String], _ module: String, _ file: String) -> [Comment] {
    var (comments, context, text): ([Comment], String, [String]) = ([], "", [])
    for (index, line) in lines.enumerated() {
      let trimmed = line.trimmingCharacters(in: .whitespaces)
      if trimmed.hasPrefix("///") {
        text.append(String(trimmed.dropFirst(3)).trimmingCharacters(in: .whitespaces))
        continue
      }
      if Self.openers.contains(where: line.hasPrefix) { context = line }
      if trimmed.hasPrefix("@") && !trimmed.contains("public ") || trimmed.hasPrefix("//") { continue }
      if !text.isEmpty, trimmed.contains("public ") {
        comments.append(
          Comment(
            module: module, file: file, declaration: declaration(lines, index), context: context, text: text))
      }
      text = []
    }
    return comments
  }

  /// The declaration that begins at a line, up to its brace.
  private static func declaration(_ lines: [String], _ index: Int) -> String {
    var parts: [String] = []
    for line in lines[index...].prefix(16) {
      let part = line.trimmingCharacters(in: .whitespaces)
      if part.isEmpty { break }
      parts.append(part)
      if part.hasSuffix("{") || part.hasSuffix("}") { break }
    }
    return parts.joined(separator: " ").replacing("public ", with: "")
  }
}
