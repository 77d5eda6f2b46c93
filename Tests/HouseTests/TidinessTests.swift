import Foundation
import Testing

@Suite("Source files")
struct TidinessTests {
  @Test("A Swift file has at most 400 lines or starts with a reason")
  func length() {
    let long = Repository.swift.filter { $0.lines.count > 401 && !$0.lines[0].hasPrefix("// ") }

    #expect(long.map { "\($0.path): \($0.lines.count - 1) lines" } == [])
  }

  @Test("No file contains a marker of unfinished work")
  func unfinished() throws {
    // Spelled so that this line is not one of them.
    let marks = try Regex(#"\b(T[O]DO|FIX[M]E|XX[X]|HA[C]K)\b"#)

    let wrong = Repository.texts.flatMap { file in file.places { $0.contains(marks) } }

    #expect(wrong == [])
  }

  @Test("No file contains a path of the machine it was written on")
  func paths() throws {
    let places = try Regex(#"/wor[k]/|(^|[^/A-Za-z0-9])/tm[p]/|\.librar[y]/|shared/(desig[n]|referenc[e])"#)

    let wrong = Repository.texts.flatMap { file in file.places { $0.contains(places) } }

    #expect(wrong == [])
  }

  @Test("A Swift file ends with one line break and has no tabs or trailing spaces")
  func whitespace() {
    let wrong = Repository.swift.flatMap { file in
      file.places { $0.contains("\t") || $0.hasSuffix(" ") }
        + (file.lines.suffix(2).map(\.isEmpty) == [false, true] ? [] : ["\(file.path): its end"])
    }

    #expect(wrong == [])
  }

  @Test(
    "No expression adds more than three collections, or two with a slice, which some compilers cannot type-check"
  )
  func sums() throws {
    let collection = #/(^|[ (=:])\[[^\]]*\] \+|\+ \[|Array\(|Data\(|\.utf8\)/#
    let slice = #/\[\.\.<[\w.]+\] \+|\+ \w+\[\w+\.\.\.\]/#

    let wrong = Repository.swift.filter { !$0.path.isIn("Tests") }.flatMap { file -> [String] in
      var found: [String] = []
      var first = 0
      for index in file.lines.indices {
        // A line that begins with an operator continues the expression.
        if !file.lines[index].trimmed.hasPrefix("+ ") { first = index }
        let expression = file.lines[first...index].map(\.code).joined(separator: " ")
        let isEnd = index + 1 == file.lines.count || !file.lines[index + 1].trimmed.hasPrefix("+ ")
        let count = expression.ranges(of: " + ").count
        let isLong = count > 3 && expression.contains(collection)
        if isEnd, isLong || count > 1 && expression.contains(slice) {
          found.append(file.place(of: first))
        }
      }
      return found
    }

    #expect(wrong == [])
  }

  @Test("A call of `setjmp` is the whole condition of an `if`: C does not permit it within others")
  func jumps() {
    let calls = Repository.texts.filter { $0.path.isIn("Sources") && $0.path.hasSuffix(".c") }
      .flatMap { file in file.places { $0.contains("setjmp(") } }

    #expect(!calls.isEmpty)
    #expect(calls.filter { !$0.contains(#/: if \(setjmp\([\w>-]+\)\) /#) } == [])
  }

  @Test(
    "A closure behind a lock is taken out or in a struct: each read of the closure itself wraps it once more")
  func closures() {
    let declared = #/(\w+)(: | = )(Guarded|Mutex)<(\(?@?[^<>]*\(.*->.*|\w*(Callback|Handler|Closure)\??)>/#
    let wrong = Repository.swift.flatMap { file in
      file.lines.compactMap { $0.firstMatch(of: declared).map { String($0.1) } }.flatMap { name in
        file.places { $0.contains("\(name).withLock { $0 }") || $0.contains("\(name).withLock({ $0 })") }
      }
    }

    #expect(wrong == [])
  }

  @Test("No timer in the library uses the wall clock")
  func timers() {
    let wrong = Repository.sources.flatMap { file in
      file.places { $0.contains("wallDeadline") || $0.contains("DispatchWallTime") }
    }

    #expect(wrong == [])
  }

  @Test(
    "No test of the library reads a file of another process by Foundation, which leaks when that process ends"
  )
  func otherProcesses() {
    let tests = Repository.swift.filter {
      $0.path.hasPrefix("Tests/") && !$0.path.hasPrefix("Tests/HouseTests/")
    }

    let wrong = tests.flatMap { file in file.places { $0.contains(#"contentsOfFile: "/proc/\("#) } }

    #expect(wrong == [])
  }

  @Test(
    "Suites that record streams end what their tests leave, since the leak sanitizer reports open streams")
  func openStreams() {
    let recording = Repository.swift.filter { file in
      file.path.hasPrefix("Tests/StreamsTests/")
        && file.lines.contains { $0.contains(/\brecord\(|\bRecorder[<(]|\bScript[<(]/) }
    }

    let wrong = recording.flatMap { file in
      file.lines.indices.compactMap { index -> String? in
        guard file.lines[index].hasPrefix("@Suite(") else { return nil }
        // The attribute may have a line for each argument.
        let attribute = file.lines[index...].prefix { !$0.hasPrefix("struct") && !$0.contains("class ") }
        return attribute.contains { $0.contains(".leavesNothing") } ? nil : file.place(of: index)
      }
    }

    #expect(wrong == [])
  }

  @Test(
    "A module map names all headers of a folder, since a module in the build's cache does not notice a new one"
  )
  func headers() {
    let headers = Repository.texts.filter {
      $0.path.wholeMatch(of: /Sources\/C\/\w+\/include\/\w+\.h/) != nil
    }
    let folders = Dictionary(grouping: headers) { ($0.path as NSString).deletingLastPathComponent }

    for (folder, headers) in folders where headers.count > 1 {
      let map = Repository.texts.first { $0.path == "\(folder)/module.modulemap" }
      let named = map?.lines.compactMap { $0.firstMatch(of: /^  header "(\w+\.h)"$/).map { String($0.1) } }

      #expect(named == headers.map { ($0.path as NSString).lastPathComponent })
    }
    #expect(folders.values.contains { $0.count > 1 })
  }

  @Test("No Swift file uses module selectors, which Swift 6.2 cannot parse")
  func selectors() {
    let wrong = Repository.swift.flatMap { file in
      file.places { $0.contains("::") && $0.contains(/\b[A-Z]\w*::[A-Z]/) && !$0.trimmed.hasPrefix("//") }
    }

    #expect(wrong == [])
  }

  @Test("Tests of processes that end capture values only since Swift 6.3")
  func captures() {
    let wrong = Repository.swift.filter { $0.text.contains("processExitsWith: ") }.flatMap { file in
      var conditions: [Bool] = []
      return file.lines.indices.compactMap { index -> String? in
        let line = file.lines[index].trimmed
        if line.hasPrefix("#if ") { conditions.append(line.contains("compiler(>=6.3)")) }
        if line.hasPrefix("#else") { conditions[conditions.count - 1] = false }
        if line.hasPrefix("#endif") { _ = conditions.popLast() }
        let captures = line.contains(/processExitsWith: .*\{ \[/)
        return captures && !conditions.contains(true) ? file.place(of: index) : nil
      }
    }

    #expect(wrong == [])
  }
}
