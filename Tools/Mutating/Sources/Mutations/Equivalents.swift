/// Mutants that do what the original does, each with its reason: lines of `Equivalent.tsv`.
public struct Equivalents: Sendable {
  /// One of them.
  public struct Entry: Hashable, Sendable {
    public let path: String
    public let original: String
    public let mutated: String
    public let reason: String
  }

  public let entries: [Entry]
  private let keys: Set<[String]>

  /// Reads the file: a line of four fields for each, with tabs between; lines that begin with `#` are
  /// comments.
  ///
  /// Throws what is wrong with it.
  public init(_ text: String) throws(Malformed) {
    var entries: [Entry] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      guard !line.isEmpty, !line.hasPrefix("#") else { continue }
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count == 4, fields.allSatisfy({ !$0.isEmpty }) else { throw Malformed(line: index + 1) }
      entries.append(Entry(path: fields[0], original: fields[1], mutated: fields[2], reason: fields[3]))
    }
    self.entries = entries
    keys = Set(entries.map { [$0.path, $0.original, $0.mutated] })
  }

  /// A line that has not four fields.
  public struct Malformed: Error, CustomStringConvertible {
    public let line: Int
    public var description: String {
      "Equivalent.tsv:\(line): needs a file, a line, what becomes of it, and a reason"
    }
  }

  public func contains(_ mutant: Mutant) -> Bool {
    keys.contains([mutant.path, mutant.original, mutant.mutated])
  }

  /// The entries whose line is not in its file any more.
  ///
  /// - Parameter text: What a file contains; nil if there is none.
  public func stale(_ text: (String) -> String?) -> [Entry] {
    entries.filter { entry in
      let lines = text(entry.path)?.split(separator: "\n") ?? []
      return !lines.contains { Source.trimmed($0) == entry.original }
    }
  }
}
