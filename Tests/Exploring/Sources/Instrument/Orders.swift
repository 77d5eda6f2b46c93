/// The memory orders of the sources that can be weakened.
struct Orders {
  private struct Order {
    let number: Int
    let path: String
    let line: Int
    let name: String
    let text: String
  }

  private let first: Int
  private var all: [Order] = []

  init(first: Int) { self.first = first }

  private static let names: Set<String> = ["acquiring", "releasing", "acquiringAndReleasing"]

  /// Numbers each: `.acquiring` becomes `.acquiring(7)`.
  mutating func edits(of source: Source) -> [Replacement] {
    var edits: [Replacement] = []
    for index in source.tokens.indices.dropFirst(3) where Self.names.contains(source.tokens[index].text) {
      guard source.tokens[index - 1].text == ".", source.tokens[index - 2].text == ":",
        source.tokens[index - 3].text.lowercased().hasSuffix("ordering")
      else { continue }
      let token = source.tokens[index], number = first + all.count
      all.append(
        Order(
          number: number, path: source.path, line: token.line, name: token.text, text: source.line(token.line)
        ))
      edits.append(Replacement(range: token.range.upperBound..<token.range.upperBound, text: "(\(number))"))
    }
    return edits
  }

  /// A source that lists them.
  var listing: String {
    let lines = all.map { order in
      "    (\(order.number), \(order.path.debugDescription), \(order.line), \(order.name.debugDescription), "
        + "\(order.text.debugDescription)),\n"
    }
    return """
      /// The memory orders of these sources that can be weakened.
      package enum Orders {
        package static let all: [(number: Int, path: String, line: Int, name: String, text: String)] = [
      \(lines.joined())  ]
      }

      """
  }
}
