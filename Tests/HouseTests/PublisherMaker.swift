import Foundation

/// A public function beyond Combine that makes a publisher, as it is called. It reads lines, not Swift.
struct PublisherMaker: CustomStringConvertible {
  let name: String
  /// The arguments that have to be named in a call.
  let labels: [String]
  let path: String

  static let all = files.flatMap(makers)

  /// Those in files where something is kept between two calls.
  static let stateful = files.filter { file in
    file.lines.contains { line in
      ["OperatorCore.start", "Gathering(", ": Stage {"].contains(where: line.contains)
    }
  }.flatMap(makers)

  private static let files = Repository.sources.filter { file in
    beyond.contains(where: file.path.isIn) && !CheckedOperators.paths.contains(file.path)
  }

  private static let beyond = ["Concurrency", "Creating", "Lifetimes", "Operators", "Subjects"].map {
    "Sources/StreamsExtras/\($0)"
  }

  private static func makers(in file: TextFile) -> [PublisherMaker] {
    file.lines.indices.compactMap { PublisherMaker(file, at: $0) }
  }

  var description: String { "\(name)(\(labels.map { "\($0):" }.joined())) in \(path)" }

  private init?(_ file: TextFile, at index: Int) {
    let start = file.lines[index].trimmed
    guard let match = start.firstMatch(of: /^public (static )?func `?([a-zA-Z]+)`?[<(]/) else { return nil }
    let rest = file.lines[index...].prefix(8).map(\.trimmed).joined(separator: " ")
    let declaration = rest.prefix { $0 != "{" }
    guard let arrow = declaration.range(of: ") -> ", options: .backwards),
      ["Publishers.", "MorePublishers.", "AnyPublisher<", "AsyncSequencePublisher<"].contains(where: {
        declaration[arrow.upperBound...].hasPrefix($0)
      })
    else { return nil }
    name = String(match.2)
    labels = Self.parameters(of: declaration[..<arrow.upperBound]).compactMap(Self.label)
    path = file.path
  }

  /// What stands between commas, inside one pair of parentheses.
  private static func parameters(of declaration: Substring) -> [String] {
    var (depth, parameters) = (0, [""])
    for character in declaration.drop(while: { $0 != "(" }) {
      if "([".contains(character) { depth += 1 }
      if ")]".contains(character) { depth -= 1 }
      if depth == 0 { break }
      if depth == 1, character == "," {
        parameters.append("")
      } else {
        parameters[parameters.count - 1].append(character)
      }
    }
    return parameters.map { String($0.drop { $0 == "(" }).trimmed }
  }

  /// Of a parameter that has no default, and is no closure.
  private static func label(of parameter: String) -> String? {
    if parameter.contains(" = ") || parameter.contains("->") { return nil }
    return parameter.firstMatch(of: /^([a-z][a-zA-Z]*)( [a-z][a-zA-Z]*)?:/).map { String($0.1) }
  }

  func isCalled(in text: String) -> Bool {
    ["(", "<", " {"].flatMap { text.ranges(of: ".\(name)\($0)") }.contains { call in
      let following = text[call.lowerBound...].prefix(240)
      return labels.allSatisfy { following.contains("\($0):") }
    }
  }
}
