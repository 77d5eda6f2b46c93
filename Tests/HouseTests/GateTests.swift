import Foundation
import Testing

@Suite("The gate")
struct GateTests {
  /// A repository with a gate and the folders A and B.
  private struct Project {
    let folder = FileManager.default.temporaryDirectory.appending(path: "gate-\(UUID())")

    init(_ checks: String) throws {
      for name in [".ci", "A", "B", "Scripts"] {
        try FileManager.default.createDirectory(
          at: folder.appending(path: name), withIntermediateDirectories: true)
      }
      try FileManager.default.copyItem(
        at: Repository.root.appending(path: ".ci/run"), to: folder.appending(path: ".ci/run"))
      try write(checks, to: ".ci/checks.tsv")
      try write(".build\n", to: ".gitignore")
      try write("1", to: "A/file")
      try write("1", to: "B/file")
      try git("init", "-q")
      try commit()
    }

    func write(_ text: String, to path: String) throws {
      try Data(text.utf8).write(to: folder.appending(path: path))
    }

    func commit() throws {
      try git("add", ".")
      try git("-c", "user.name=n", "-c", "user.email=e", "commit", "-q", "--allow-empty", "-m", "m")
    }

    private func git(_ arguments: String...) throws {
      let result = try Repository.run("/usr/bin/env", ["git"] + arguments, in: folder)
      try #require(result.status == 0)
    }

    func gate(_ arguments: String..., minutes: Int = 60) throws -> (status: Int32, lines: [String]) {
      let result = try Repository.run(
        folder.appending(path: ".ci/run").path, arguments, environment: ["GATE_MINUTES": "\(minutes)"],
        in: folder)
      return (result.status, result.output.components(separatedBy: "\n").dropLast())
    }

    func log(_ name: String) throws -> String {
      try String(contentsOf: folder.appending(path: ".build/gate/\(name).log"), encoding: .utf8)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }
  }

  @Test("A check is due until it has passed, and again when a path that it depends on changes")
  func due() throws {
    let project = try Project("@both\tA B\none\talways\t1\techo one\t@both\ntwo\tdue\t1\techo two\tA\n")
    defer { project.remove() }

    let first = try project.gate()
    #expect(first.status == 0)
    #expect(first.lines.last == "2 passed, 0 failed")
    try project.commit()
    #expect(try project.gate("--due").lines == [])

    try project.write("2", to: "B/file")
    try project.commit()
    #expect(try project.gate("--due").lines == ["one: due, 0 runs without it, 1 minutes"])
  }

  @Test("A run begins no check that would end after its time, and names it as still due")
  func time() throws {
    let project = try Project("one\talways\t1\techo one\tA\nslow\tdue\t9\techo slow\tA\n")
    defer { project.remove() }

    let run = try project.gate(minutes: 10)

    #expect(run.status == 0)
    #expect(run.lines.contains("still due: slow, for 1 runs"))
    #expect(try project.gate("--all", minutes: 10).lines.last == "2 passed, 0 failed")
  }

  @Test("Two checks of one script, which build in one folder, do not run beside one another")
  func exclusive() throws {
    let project = try Project(
      """
      first\talways\t1\techo first\tA
      one\tdue\t1\tsh Scripts/build one\tA
      two\tdue\t1\tenv KEY=1 sh Scripts/build two\tA

      """)
    defer { project.remove() }
    try project.write("echo built\n", to: "Scripts/build")
    try project.commit()

    let lines = try project.gate().lines

    let end = try #require(lines.firstIndex { $0.hasPrefix("--- one: status 0") })
    let start = try #require(lines.firstIndex { $0.hasPrefix("=== two") })
    #expect(end < start)
  }

  @Test("A check that is due in the fourth run in a row fails the gate")
  func overdue() throws {
    let project = try Project("slow\tdue\t9\techo slow\tA\n")
    defer { project.remove() }

    for _ in 1...3 {
      #expect(try project.gate(minutes: 10).status == 0)
      try project.commit()
    }
    let fourth = try project.gate(minutes: 10)

    #expect(fourth.status == 1)
    #expect(fourth.lines.contains("gate: slow is due for the fourth run in a row"))
  }

  @Test("Each failed check keeps its own log, and the summary shows its first error")
  func failures() throws {
    let project = try Project(
      """
      one\tdue\t1\tseq 90; echo 'a.swift:3: error: first'; seq 90; echo 'error: second'; seq 90; false\tA
      two\tdue\t1\techo the other log; exit 3\tB

      """)
    defer { project.remove() }

    let run = try project.gate()

    #expect(run.status == 1)
    #expect(run.lines.last == "0 passed, 2 failed")
    #expect(run.lines.contains("a.swift:3: error: first"))
    #expect(!run.lines.contains("error: second"))
    #expect(try project.log("two") == "the other log\n")
    #expect(try project.log("one").contains("error: second"))
    #expect(try project.gate("--due").lines.count == 2)
  }

  @Test("A check that is run alone is not recorded while its paths have changes that are not committed")
  func uncommitted() throws {
    let project = try Project("one\tdue\t1\techo one\tA\ntwo\tdue\t1\techo two\tB\n")
    defer { project.remove() }
    try project.write("2", to: "A/file")

    #expect(try project.gate("--only", "one").lines.last == "1 passed, 0 failed")
    #expect(try project.gate("--only", "two").lines.last == "1 passed, 0 failed")

    #expect(try project.gate("--due").lines == ["one: due, 0 runs without it, 1 minutes"])
  }

  @Test("A check that this machine cannot do is skipped, and stays due without a failure")
  func skipped() throws {
    let project = try Project("one\tdue\t1\texit 77\tA\n")
    defer { project.remove() }

    for _ in 1...4 {
      let run = try project.gate()
      #expect(run.status == 0)
      #expect(run.lines.contains { $0.hasPrefix("one skipped") })
      try project.commit()
    }
  }

  @Test("A check that the table does not have is an error")
  func unknown() throws {
    let project = try Project("one\tdue\t1\techo one\tA\n")
    defer { project.remove() }

    #expect(try project.gate("--only", "other").status == 2)
    #expect(try project.gate("--record", "other").status == 2)
  }

  @Test("A check whose command has passed by hand can be recorded, and is not due any more")
  func recorded() throws {
    let project = try Project("one\tdue\t1\tfalse\tA\n")
    defer { project.remove() }

    #expect(try project.gate("--record", "one").status == 0)

    #expect(try project.gate("--due").lines == [])
  }

  @Test(
    "Each path in the table of checks exists, and each script of the repository has a check or a use in another"
  )
  func table() throws {
    let table = try #require(TextFile(path: ".ci/checks.tsv"))
    let rows = table.lines.filter { !$0.isEmpty && !$0.hasPrefix("#") }.map {
      $0.components(separatedBy: "\t")
    }
    let paths = rows.flatMap { ($0.last ?? "").split(separator: " ") }.filter { !$0.hasPrefix("@") }

    let missing = Set(paths.map(String.init)).filter { !Repository.exists($0) }
    #expect(missing == [])
    let commands = rows.filter { $0.count == 5 }.map { $0[3] }.joined(separator: "\n")
    let scripts = Repository.texts.filter { $0.path.isIn("Scripts") }.map(\.path)
    // What a person looks at, or what is called by others.
    let byHand: Set = ["Scripts/desktop", "Scripts/gallery", "Scripts/demo", "Scripts/setup"]
    let unchecked = scripts.filter { !commands.contains($0) && !byHand.contains($0) }
    #expect(unchecked == ["Scripts/generate"])
  }
}
