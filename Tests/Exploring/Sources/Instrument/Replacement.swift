/// A part of a source that becomes something else.
struct Replacement {
  let range: Range<Int>
  let text: String

  static func apply(_ edits: [Replacement], to source: Source) -> String {
    var result = "", place = 0
    for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      result += source.text(place..<edit.range.lowerBound) + edit.text
      place = edit.range.upperBound
    }
    return result + source.text(place..<source.bytes.count)
  }
}

extension Source {
  /// Whether the tokens from `index` on are these.
  func has(_ texts: [String], at index: Int) -> Bool {
    index + texts.count <= tokens.count && texts.indices.allSatisfy { tokens[index + $0].text == texts[$0] }
  }
}

enum Imports {
  /// What the explorer has something of its own for: the first two in stand-ins for StreamImages.
  private static let modules = ["StreamsFoundation", "CTransport", "Synchronization"]

  static func edits(of source: Source) -> [Replacement] {
    let places = modules.flatMap { module in
      source.tokens.indices.filter { source.has(["import", module], at: $0) }
    }
    let edits = places.map { Replacement(range: source.tokens[$0 + 1].range, text: "Interleavings") }
    if places.contains(where: { source.tokens[$0 + 1].text == "Synchronization" }) { return edits }
    // Public, so that it does whatever for.
    return edits + [Replacement(range: 0..<0, text: "public import Interleavings; ")]
  }
}

/// Variables that are marked `@exclusivity(unchecked)`.
enum Plains {
  private static let mark = ["@", "exclusivity", "(", "unchecked", ")"]

  static func edits(of source: Source) -> [Replacement] {
    places(in: source).flatMap { edits(of: source, at: $0) }
  }

  private static func places(in source: Source) -> [Int] {
    source.tokens.indices.filter { source.has(mark, at: $0) }
  }

  /// The tokens of the variable that is declared behind a mark, from `var` on.
  private static func variable(_ source: Source, behind index: Int) -> ClosedRange<Int>? {
    let tokens = source.tokens
    guard let first = (index + mark.count..<tokens.count).first(where: { tokens[$0].text == "var" }) else {
      return nil
    }
    // It ends with the line, unless a bracket is open there.
    var last = first
    while true {
      last = source.end(last)
      if last + 1 == tokens.count || tokens[last + 1].isFirstInLine { return first...last }
      last += 1
    }
  }

  private static func edits(of source: Source, at index: Int) -> [Replacement] {
    let tokens = source.tokens
    let range = tokens[index].range.lowerBound..<tokens[index + mark.count - 1].range.upperBound
    var result = [Replacement(range: range, text: "@Plain")]
    guard let variable = variable(source, behind: index) else { return result }
    let last = tokens[variable.upperBound]
    let isInitialised = variable.contains {
      tokens[$0].text == "=" && tokens[$0].parent == tokens[index].parent
    }
    // With a wrapper, an optional variable is not nil by itself.
    if last.text.hasSuffix("?"), !isInitialised {
      result.append(Replacement(range: last.range.upperBound..<last.range.upperBound, text: " = nil"))
    }
    return result
  }

  /// When an object is deallocated, all accesses to it have happened before: its last reference is released behind them.
  static func renewals(in source: Source) -> [Replacement] {
    let names = Dictionary(grouping: places(in: source)) { source.tokens[$0].parent }
      .mapValues {
        $0.compactMap { variable(source, behind: $0).map { source.tokens[$0.lowerBound + 1].text } }
      }
    return source.tokens.indices.filter { source.has(["deinit", "{"], at: $0) }.map { index in
      let end = source.tokens[index + 1].range.upperBound
      let renewals = (names[source.tokens[index].parent] ?? []).map { " _\($0).renew();" }.joined()
      return Replacement(
        range: end..<end,
        text: " Explorer.shared.beginDeinit(); defer { Explorer.shared.endDeinit() };" + renewals)
    }
  }

  // MARK: Their types

  /// The words in the types of such variables.
  static func types(in source: Source) -> Set<String> {
    var words: Set<String> = []
    for index in places(in: source) {
      for place in variable(source, behind: index) ?? index...index {
        words.insert(source.tokens[place].text)
      }
    }
    return words
  }

  /// Makes a structure copyable that is the type of such a variable: a wrapper needs that.
  static func copies(in source: Source, of types: Set<String>) -> [Replacement] {
    var result: [Replacement] = []
    let tokens = source.tokens
    for index in tokens.indices.dropLast()
    where tokens[index].text == "struct" && types.contains(tokens[index + 1].text) {
      var place = index
      while place < tokens.count, tokens[place].text != "{" {
        if tokens[place].text == "Copyable", tokens[place - 1].text == "~" {
          result.append(Replacement(range: tokens[place - 1].range, text: ""))
        }
        place += 1
      }
    }
    return result
  }
}
