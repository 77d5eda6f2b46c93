/// The reason why a text is not a diagram.
public struct MarbleError: Error, Hashable, Sendable {
  /// The kinds of errors.
  public enum Problem: String, Sendable {
    /// A character that is neither a letter, a digit nor a symbol.
    case unknownSign = "this is no sign of a diagram"
    /// A `(` without its `)`.
    case unclosedGroup = "this group is not closed"
    /// A `)` without its `(`.
    case unopenedGroup = "there is no group to close"
    /// A `(` inside of parentheses.
    case nestedGroup = "a group cannot stand in a group"
    /// `()`.
    case emptyGroup = "a group of nothing"
    /// A `-` inside of parentheses.
    case silenceInGroup = "time does not pass in a group"
    /// A `[` without its `]`.
    case unclosedName = "this name is not closed"
    /// `[]`.
    case emptyName = "a name of nothing"
    /// A value or another end behind `|` or `#`.
    case afterTheEnd = "there is an event after the end"
  }

  /// The kind of error.
  public let problem: Problem

  /// The position of the character in the diagram, from 0.
  public let position: Int
}

extension MarbleError: CustomStringConvertible {
  public var description: String { "character \(position): \(problem.rawValue)" }
}

/// Reads a diagram from left to right.
struct MarbleReader {
  private let signs: [Character]
  private var position = 0
  private var columns: [[Marble.Signal]] = []
  private var group: (start: Int, signals: [Marble.Signal])?
  private var hasEnded = false

  init(_ diagram: String) { signs = Array(diagram) }

  mutating func read() throws(MarbleError) -> [[Marble.Signal]] {
    while position < signs.count {
      try readSign(signs[position])
      position += 1
    }
    if let group { throw MarbleError(problem: .unclosedGroup, position: group.start) }
    return columns
  }

  private mutating func readSign(_ sign: Character) throws(MarbleError) {
    switch sign {
    case " ": break
    case "-":
      if group != nil { throw error(.silenceInGroup) }
      columns.append([])
    case "(":
      if group != nil { throw error(.nestedGroup) }
      group = (position, [])
    case ")":
      guard let closed = group else { throw error(.unopenedGroup) }
      if closed.signals.isEmpty { throw MarbleError(problem: .emptyGroup, position: closed.start) }
      columns.append(closed.signals)
      group = nil
    case "|": try end(.finished)
    case "#": try end(.failure)
    case "[": try add(.value(readName()))
    case _ where Marble.Signal.isName(sign): try add(.value(String(sign)))
    default: throw error(.unknownSign)
    }
  }

  private mutating func readName() throws(MarbleError) -> String {
    guard let end = signs[position...].firstIndex(of: "]") else { throw error(.unclosedName) }
    let name = String(signs[(position + 1)..<end])
    if name.isEmpty { throw error(.emptyName) }
    if hasEnded { throw error(.afterTheEnd) }
    position = end
    return name
  }

  private mutating func end(_ signal: Marble.Signal) throws(MarbleError) {
    try add(signal)
    hasEnded = true
  }

  private mutating func add(_ signal: Marble.Signal) throws(MarbleError) {
    if hasEnded { throw error(.afterTheEnd) }
    if group == nil { columns.append([signal]) } else { group?.signals.append(signal) }
  }

  private func error(_ problem: MarbleError.Problem) -> MarbleError {
    MarbleError(problem: problem, position: position)
  }
}
