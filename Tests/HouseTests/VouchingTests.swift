import Testing

/// Where the compiler's proof ends and a person's word begins.
@Suite("Unchecked code")
struct VouchingTests {
  @Test("Each unchecked construct has a comment with its reason", arguments: Vouched.allCases)
  func reasons(kind: Vouched) {
    let silent = Repository.swift.flatMap { file in
      kind.lines(of: file).filter { !hasReason(file, at: $0) }.map(file.place(of:))
    }

    #expect(silent == [])
  }

  @Test("The number of unchecked constructs in each module is as reviewed", arguments: Vouched.allCases)
  func counts(kind: Vouched) {
    var counts: [String: Int] = [:]
    for file in Repository.sources {
      let count = kind.lines(of: file).count
      if count > 0 { counts[String(file.path.split(separator: "/")[1]), default: 0] += count }
    }

    print(
      "vouched for, \(kind.rawValue): \(counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })")
    #expect(counts == reviewedCounts[kind])
  }

  /// The standard library's lock sleeps in code that was not built for the thread sanitizer: what two threads did one after
  /// the other, because of it, is reported as a race.
  @Test("No file uses a lock that hides accesses from the thread sanitizer")
  func locks() throws {
    // Spelled so that this line is not one of them.
    let blind = try Regex(#"\bMut[e]x[<(]"#)
    // What is explored there is anybody's code, and runs without the sanitizer.
    let files =
      Repository.sources
      + Repository.swift.filter { $0.path.isIn("Tests") || $0.path.isIn("Tools") }
      .filter { !$0.path.isIn("Tests/Interleavings") }

    #expect(files.flatMap { file in file.places { $0.contains(blind) } } == [])
  }

  /// In sources the reason is a comment, not the documentation; in tests it may be either. Attributes may stand
  /// between it and what it is about.
  private func hasReason(_ file: TextFile, at index: Int) -> Bool {
    if file.lines[index].contains("//") { return true }
    let above = file.lines[..<index].last { !$0.trimmed.hasPrefix("@") || $0.trimmed.contains(" ") }
    guard let above = above?.trimmed, above.hasPrefix("//") else { return false }
    return !above.hasPrefix("///") || file.path.isIn("Tests") || file.path.isIn("Tools")
  }
}

enum Vouched: String, CaseIterable {
  case uncheckedSendable = "@unchecked Sendable"
  case unsafeIsolation = "nonisolated(unsafe)"
  case transfer = "Transfer("

  /// The lines of `file` that have it as code.
  func lines(of file: TextFile) -> [Int] {
    if file.path.isIn("Tests/HouseTests") { return [] }
    return file.lines.indices.filter { file.lines[$0].code.contains(rawValue) }
  }
}
