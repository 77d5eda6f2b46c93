import Testing

@Suite("every file")
struct TidinessTests {
  @Test("has at most 400 lines, or says in its first line why it has more")
  func length() {
    let long = Repository.swift.filter { $0.lines.count > 401 && !$0.lines[0].hasPrefix("// ") }

    #expect(long.map { "\($0.path): \($0.lines.count - 1) lines" } == [])
  }

  @Test("is finished: nothing is left to be done later")
  func unfinished() throws {
    // Spelled so that this line is not one of them.
    let marks = try Regex(#"\b(T[O]DO|FIX[M]E|XX[X]|HA[C]K)\b"#)

    let wrong = Repository.texts.flatMap { file in file.places { $0.contains(marks) } }

    #expect(wrong == [])
  }

  @Test("belongs to no machine: none names a path of the place where it was written")
  func paths() throws {
    let places = try Regex(#"/wor[k]/|(^|[^/A-Za-z0-9])/tm[p]/|\.librar[y]/|shared/(desig[n]|referenc[e])"#)

    let wrong = Repository.texts.flatMap { file in file.places { $0.contains(places) } }

    #expect(wrong == [])
  }

  @Test("of Swift ends with one line break, and has no tabs nor blanks at the end of lines")
  func whitespace() {
    let wrong = Repository.swift.flatMap { file in
      file.places { $0.contains("\t") || $0.hasSuffix(" ") }
        + (file.lines.suffix(2).map(\.isEmpty) == [false, true] ? [] : ["\(file.path): its end"])
    }

    #expect(wrong == [])
  }

  @Test("of the library sets timers by a clock that is never set back")
  func timers() {
    let wrong = Repository.sources.flatMap { file in
      file.places { $0.contains("wallDeadline") || $0.contains("DispatchWallTime") }
    }

    #expect(wrong == [])
  }

  @Test("of Swift can be parsed by Swift 6.2, which has no module selectors")
  func selectors() {
    let wrong = Repository.swift.flatMap { file in
      file.places { $0.contains("::") && $0.contains(/\b[A-Z]\w*::[A-Z]/) && !$0.trimmed.hasPrefix("//") }
    }

    #expect(wrong == [])
  }
}
