/// The files of which every mutant is decided: killed by a test, or equivalent with a reason. Lines of `Decided.tsv`.
///
/// A function of such a file whose tokens change is undecided until its mutants are tried again.
public struct Decisions: Sendable {
  /// A file, and what of it is decided.
  public struct File: Sendable {
    public let path: String
    public let area: String
    /// What ``Mutant/place`` says of its mutants.
    public internal(set) var places: Set<String>

    var line: String { "\(path)\t\(area)\t\(places.sorted().joined(separator: " "))" }
  }

  public private(set) var files: [File] = []
  private let comments: [Substring]

  /// Reads the file: a line of a path, an area and places for each, with tabs between; lines that begin with `#` are
  /// comments.
  public init(_ text: String) throws(Malformed) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    comments = Array(lines.prefix { $0.hasPrefix("#") })
    for (index, line) in lines.enumerated() where !line.isEmpty && !line.hasPrefix("#") {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard (2...3).contains(fields.count), !fields[0].isEmpty, !fields[1].isEmpty else {
        throw Malformed(line: index + 1)
      }
      let places = fields.count < 3 ? [] : fields[2].split(separator: " ").map(String.init)
      files.append(File(path: String(fields[0]), area: String(fields[1]), places: Set(places)))
    }
  }

  /// A line that has no file or no area.
  public struct Malformed: Error, CustomStringConvertible {
    public let line: Int
    public var description: String { "Decided.tsv:\(line): needs a file, an area, and what of it is decided" }
  }

  /// The list as it is written.
  public var text: String {
    (comments.map(String.init) + files.sorted { ($0.area, $0.path) < ($1.area, $1.path) }.map(\.line))
      .joined(separator: "\n") + "\n"
  }

  /// Whether a mutant was decided in the present text of its function.
  public func contain(_ mutant: Mutant) -> Bool {
    files.contains { $0.path == mutant.path && $0.places.contains(mutant.place) }
  }

  /// Notes for the files among `paths` which of their mutants are decided now, all or some.
  public mutating func note(_ decided: [Mutant], in paths: Set<String>) {
    for index in files.indices where paths.contains(files[index].path) {
      files[index].places = Set(decided.filter { $0.path == files[index].path }.map(\.place))
    }
  }
}
