import Testing

/// What Combine does not have yields to a program's own declaration of the same name, instead of being ambiguous with it.
@Suite("Beyond Combine: name conflicts")
struct YieldingTests {
  /// What programs extend: types of Combine, of Foundation, and of the standard library.
  static let extended: Set = [
    "Publisher", "Publishers", "ConnectablePublisher", "AnyPublisher", "Future", "Subject", "Subscribers",
    "Subscriptions", "Cancellable", "AnyCancellable", "Scheduler", "Collection", "Sequence", "AsyncSequence",
    "AsyncStream", "AsyncThrowingStream", "DispatchQueue", "OperationQueue", "RunLoop", "Relay",
  ]

  /// Each tells itself from an overload of its own type, which a program's declaration cannot have.
  static let exempt = ["checkpoint<Base: Error>"]

  @Test("No type beyond Combine is declared in one of Combine's namespaces")
  func types() throws {
    let type = try Regex(#"^  public (final )?(struct|class|enum|actor|typealias) "#)

    let wrong = Self.files.flatMap { file in
      Self.members(of: file, in: ["Publishers", "Subscribers", "Subscriptions"])
        .filter { file.lines[$0].contains("public ") && file.lines[$0].contains(type) }.map(file.place(of:))
    }

    #expect(wrong == [])
  }

  @Test("Each member beyond Combine is a disfavored overload")
  func members() throws {
    let member = try Regex(#"^  (@\S+ )*public (static )?(convenience )?(func|var|init|subscript)\b"#)

    let members = Self.files.flatMap { file in
      Self.members(of: file, in: Self.extended)
        .filter {
          file.lines[$0].contains("public ") && file.lines[$0].contains(member)
            && !file.lines[$0].contains("func receive<Downstream")
        }
        .map { (file: file, line: $0) }
    }
    let wrong = members.filter { member in
      let above = member.file.lines[..<member.line].reversed().prefix { $0.trimmed.hasPrefix("@") }
      return !above.contains { $0.contains("@_disfavoredOverload") }
        && !Self.exempt.contains(where: member.file.lines[member.line].contains)
    }

    #expect(members.count > 150)
    #expect(wrong.map { $0.file.place(of: $0.line) } == [])
  }

  private static let files = Repository.sources.filter { file in
    !["Sources/Streams", "Sources/StreamsFoundation"].contains(where: file.path.isIn)
  }

  /// The lines inside extensions of these types.
  private static func members(of file: TextFile, in types: Set<String>) -> [Int] {
    var isInside = false
    return file.lines.indices.filter { index in
      let line = file.lines[index]
      if line.contains("extension "), let match = line.firstMatch(of: /^(public )?extension (\w+)/) {
        isInside = types.contains(String(match.2))
      }
      if line.hasPrefix("}") { isInside = false }
      return isInside
    }
  }
}
