/// A bug that is put into the sources on purpose, so that the explorer proves that it finds it: an entry of `Mutants.txt` in
/// `Tests/Exploring`, or of `BrokenEngine.txt` in `Tests/Interleavings`. The comment at the beginning of `Mutants.txt` describes the format.
public struct DeliberateBug: Sendable, CustomStringConvertible {
  public let name: String
  /// The scenario that finds it. Bugs of the explorer itself are found by its own small programs.
  public private(set) var scenario: String?
  private var isDescribed = false
  private var edits: [Replacing] = []

  /// Statements, and what replaces them.
  struct Replacing: Sendable {
    let file: String
    /// The beginning of the declaration with the statements: `func send`, `init` or `var isFull`.
    let declaration: String
    var language: Language { Language(path: file) ?? .swift }
    var old: [Substring] = []
    var new: [Substring] = []
  }

  /// Reads a list of bugs.
  ///
  /// Throws the first line that is none of an entry, or the last line of an incomplete entry.
  public static func list(_ text: String) throws(Malformed) -> [DeliberateBug] {
    var bugs: [DeliberateBug] = []
    var isInEdit = false
    for (index, line) in (text + "\nBug: end").split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated()
    {
      if line.isEmpty || line.hasPrefix("#") {
        isInEdit = false
      } else if let name = value("Bug: ", line) {
        guard bugs.last?.isComplete ?? true else { throw Malformed(line: index) }
        bugs.append(DeliberateBug(name: String(name)))
        isInEdit = false
      } else if bugs.isEmpty || !bugs[bugs.count - 1].read(line, &isInEdit) {
        throw Malformed(line: index + 1)
      }
    }
    return bugs.dropLast()
  }

  private init(name: String) { self.name = name }

  public var description: String { name }

  private var isComplete: Bool {
    isDescribed && !edits.isEmpty && edits.allSatisfy { !$0.old.isEmpty && $0.old != $0.new }
  }

  private static func value(_ key: String, _ line: Substring) -> Substring? {
    line.hasPrefix(key) ? line.dropFirst(key.count) : nil
  }

  /// - Returns: Whether the line is one of an entry.
  private mutating func read(_ line: Substring, _ isInEdit: inout Bool) -> Bool {
    if let place = Self.value("In: ", line) {
      guard let comma = place.firstIndex(of: ",") else { return false }
      let declaration = Source.trimmed(place[place.index(after: comma)...])
      edits.append(Replacing(file: String(place[..<comma]), declaration: declaration))
      isInEdit = true
    } else if isInEdit {
      guard let sign = line.first, sign == "-" || sign == "+" || line.hasPrefix("  ") else { return false }
      if sign != "+" { edits[edits.count - 1].old.append(line.dropFirst(2)) }
      if sign != "-" { edits[edits.count - 1].new.append(line.dropFirst(2)) }
    } else if let scenario = Self.value("Scenario: ", line) {
      self.scenario = String(scenario)
    } else if edits.isEmpty {
      isDescribed = true
    } else {
      return false
    }
    return true
  }

  /// A line of a list that cannot be read.
  public struct Malformed: Error, CustomStringConvertible {
    public let line: Int
    public var description: String { "line \(line): this is no entry, or the entry before it is incomplete" }
  }

  // MARK: Putting it in

  /// The files that differ in a program with this bug, by their paths.
  ///
  /// - Parameters:
  ///   - paths: All files. The bug names its files without their folders.
  ///   - text: What a file contains.
  public func files(among paths: [String], _ text: (String) -> String?) throws(Misfit) -> [String: String] {
    var result: [String: String] = [:]
    for edit in edits {
      let found = paths.filter { $0.hasSuffix("/\(edit.file)") }
      guard let path = found.first, found.count == 1, let old = result[path] ?? text(path) else {
        throw Misfit(bug: name, reason: "\(found.count) files are named \(edit.file)")
      }
      let source = Source(path: path, text: old, edit.language)
      let places = edit.places(in: source)
      guard places.declarations > 0 else {
        throw Misfit(bug: name, reason: "\(edit.file) has no `\(edit.declaration)`")
      }
      guard let place = places.statements.first, places.statements.count == 1 else {
        let statements = edit.old.joined(separator: "\n")
        throw Misfit(
          bug: name,
          reason:
            "`\(edit.declaration)` in \(edit.file) must have this once, and has it \(places.statements.count) times:\n\(statements)"
        )
      }
      result[path] = edit.text(of: source, at: place)
    }
    return result
  }

  /// Why a bug does not fit the sources.
  public struct Misfit: Error, CustomStringConvertible {
    public let bug: String
    public let reason: String
    public var description: String { "\(bug) does not fit the sources: \(reason)" }
  }
}

extension DeliberateBug.Replacing {
  /// How many declarations begin as this one, and where the statements are in them, as tokens: spaces, line breaks and
  /// comments make no difference.
  func places(in source: Source) -> (declarations: Int, statements: [Range<Int>]) {
    let declaration = tokens(declaration), statements = tokens(old.joined(separator: "\n"))
    var count = 0, places: [Range<Int>] = []
    for (brace, kind) in source.braces {
      guard case .function(let word) = kind, source.matches(declaration, at: word) else { continue }
      count += 1
      let end = source.end(brace) - statements.count + 1
      for start in word..<max(word, end) where source.matches(statements, at: start) {
        places.append(start..<start + statements.count)
      }
    }
    return (count, places)
  }

  private func tokens(_ text: String) -> [String] { Lexer.tokens(of: Array(text.utf8), language).map(\.text) }

  /// The source with other statements at a place. They are indented as those that they replace, and a line is left out
  /// if nothing remains of it.
  func text(of source: Source, at place: Range<Int>) -> String {
    let first = source.tokens[place.lowerBound], last = source.tokens[place.upperBound - 1]
    var range = first.range.lowerBound..<last.range.upperBound
    let isSpace: (Character) -> Bool = { $0 == " " }
    let indentation = source.lines[first.line - 1].prefix(while: isSpace).count
    let difference = indentation - old[0].prefix(while: isSpace).count
    var lines = new.map { line in
      let text = line.drop(while: isSpace)
      let indentation = text.isEmpty ? 0 : max(0, line.count - text.count + difference)
      return String(repeating: " ", count: indentation) + text
    }
    if first.isFirstInLine {
      range = range.lowerBound - indentation..<range.upperBound
      if lines.isEmpty, source.bytes.dropFirst(range.upperBound).first == UInt8(ascii: "\n") {
        range = range.lowerBound..<range.upperBound + 1
      }
    } else if !lines.isEmpty {
      lines[0] = String(lines[0].drop(while: isSpace))
    }
    return source.text(0..<range.lowerBound) + lines.joined(separator: "\n")
      + source.text(range.upperBound..<source.bytes.count)
  }
}

extension Source {
  fileprivate func matches(_ texts: [String], at index: Int) -> Bool {
    index + texts.count <= tokens.count && texts.indices.allSatisfy { tokens[index + $0].text == texts[$0] }
  }
}
