/// A stream as a line of text, a column for each unit of time.
///
/// `-` is a unit without events. A letter or a digit is a value, and so is a name in brackets. `|` is the completion, and `#` a
/// failure. Events at the same time are in parentheses. Blanks outside of brackets only make lines easier to read.
///
/// ```swift
/// let seen = try Marble("ab--[last]|").play { upstream, scheduler in
///   upstream.delay(for: 2, scheduler: scheduler)
/// }
/// #expect(seen == "--ab--[last]|")
/// ```
public struct Marble: Hashable, Sendable {
  /// An event of a diagram.
  public enum Signal: Hashable, Sendable {
    /// A value; a sign of a diagram, or a name in brackets.
    case value(String)
    /// The end: `|` in a diagram.
    case finished
    /// The end with a failure: `#` in a diagram.
    case failure
  }

  /// The events of each unit of time.
  public let columns: [[Signal]]

  /// Reads a diagram. Throws an error with the position if the text is not one.
  public init(_ diagram: String) throws(MarbleError) {
    var reader = MarbleReader(diagram)
    columns = try reader.read()
  }

  init(columns: [[Signal]]) { self.columns = columns }
}

extension Marble: CustomStringConvertible {
  /// The diagram.
  public var description: String { columns.map(Self.drawing).joined() }

  private static func drawing(_ column: [Signal]) -> String {
    let signs = column.map(\.description).joined()
    return column.isEmpty ? "-" : column.count == 1 ? signs : "(\(signs))"
  }

  /// The same without the silence at its end.
  var trimmed: Marble {
    let count = columns.lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? 0
    return Marble(columns: Array(columns[..<count]))
  }
}

extension Marble.Signal: CustomStringConvertible {
  /// Its text in a diagram.
  public var description: String {
    switch self {
    case .value(let name): name.count == 1 && name.allSatisfy(Self.isName) ? name : "[\(name)]"
    case .finished: "|"
    case .failure: "#"
    }
  }

  static func isName(_ sign: Character) -> Bool { sign.isLetter || sign.isNumber }
}
