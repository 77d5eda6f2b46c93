import Foundation
import Mutations
import Testing

/// What `Scripts/mutate` makes of sources: an operator that finds nothing any more would go unnoticed, since
/// fewer mutants survive then.
@Suite("Source mutations")
struct MutationTests {
  struct Sample: Sendable {
    let kind: Mutant.Kind
    let language: Language
    let text: String
    let mutated: [String]

    init(_ kind: Mutant.Kind, _ text: String, _ mutated: String...) {
      (self.kind, language, self.text, self.mutated) = (kind, .swift, text, mutated)
    }

    init(_ kind: Mutant.Kind, c text: String, _ mutated: String...) {
      (self.kind, language, self.text, self.mutated) = (kind, .c, text, mutated)
    }
  }

  static let samples = [
    Sample(
      .condition, "func f() { if a(b), let c { g() } }", "func f() { if true, let c { g() } }",
      "func f() { if false, let c { g() } }"),
    Sample(
      .condition, "func f() { guard a else { g(); return } }", "func f() { guard true else { g(); return } }",
      "func f() { guard !(a) else { g(); return } }"),
    Sample(.condition, "let x = a < b ? c : d", "let x = !(a < b) ? c : d"),
    Sample(.condition, "func f() { while a { g() } }", "func f() { while false { g() } }"),
    Sample(
      .condition, "func f() { for x in y where x.a { g() } }", "func f() { for x in y where true { g() } }",
      "func f() { for x in y where false { g() } }"),
    Sample(.condition, c: "void f(int a) {\n  if (a) g();\n}", "if (true) g();", "if (false) g();"),
    // Both branches open the brace, and one closes it.
    Sample(
      .call, c: "#if A\nint f(int a) {\n#else\nlong f(int a) {\n#endif\n  g(a);\n  return a;\n}", "(void)0;"),
    Sample(
      .connective, "let x = a && b(c)", "let x = a || b(c)", "let x = true && b(c)", "let x = a && true"),
    Sample(
      .connective, "let x = a || b == c", "let x = a && b == c", "let x = false || b == c",
      "let x = a || false"),
    Sample(.comparison, "let x = a + b < c", "let x = a + b <= c"),
    Sample(.comparison, "let x = Array<Int>() == a", "let x = Array<Int>() != a"),
    Sample(.comparison, c: "bool f(int a) {\n  return a >= 2;\n}", "return a > 2;"),
    Sample(.arithmetic, "let x = a * b - c", "let x = a / b - c", "let x = a * b + c"),
    Sample(.arithmetic, "func f() { a += b }", "func f() { a -= b }"),
    Sample(.arithmetic, "let x = \"a\" + b"),
    Sample(.range, "let x = a[0..<b.count]", "let x = a[0...b.count]"),
    Sample(.range, "let x = 2...b", "let x = 2..<b"),
    Sample(
      .extremum, "let x = min(a, b) + Swift.max(c, d)", "let x = max(a, b) + Swift.max(c, d)",
      "let x = min(a, b) + Swift.min(c, d)"),
    Sample(
      .constant, "let x = f(0, 1, 2, true, a.0)", "let x = f(1, 1, 2, true, a.0)",
      "let x = f(0, 0, 2, true, a.0)", "let x = f(0, 1, 2, false, a.0)"),
    Sample(.enumCase, "enum E { case a, b, c(Int) }\nlet x: E = .b", "let x: E = .a"),
    Sample(
      .enumCase,
      "enum E {\n  case a\n  case b, c\n  case d(Int)\n  case e\n  case f\n}\nlet x: [E] = [.b, .c, .e, .f]",
      "let x: [E] = [.c, .c, .e, .f]", "let x: [E] = [.b, .e, .e, .f]", "let x: [E] = [.b, .c, .f, .f]",
      "let x: [E] = [.b, .c, .e, .a]"),
    Sample(.arithmetic, "struct S {\n  static func + (a: S, b: S) -> S { a }\n}"),
    Sample(.call, "init() { self.init(a) }"),
    Sample(
      .call, "func f() {\n  guard a else { fail(b) }\n  guard c else {\n    g()\n    fail(d)\n  }\n}", "()"),
    Sample(.call, "func f() {\n  a.b { c }\n  let d = e()\n}", "()"),
    Sample(.call, c: "void f(void) {\n  if (a) g();\n}", "if (a) (void)0;"),
    Sample(.assignment, "func f() {\n  let a: Int\n  a = 2\n  self.b = c\n}", "()"),
    Sample(.assignment, c: "void f(T *a) {\n  T *b = g();\n  a->c = b;\n}", "(void)0;"),
    Sample(.deferral, "func f() { defer { g() } }", "func f() { defer {} }"),
    Sample(.earlyReturn, "func f() {\n  a()\n  b()\n}", "func f() { return;"),
    Sample(
      .earlyReturn, "var isA: Bool { b }", "var isA: Bool { return true; b }",
      "var isA: Bool { return false; b }"),
    Sample(.earlyReturn, "var isA: Bool { true }", "var isA: Bool { return false; true }"),
    Sample(.earlyReturn, "var a: Int? { nil }"),
    Sample(
      .earlyReturn, "func f() throws -> [Int: Int] where A: B {\n  a\n}",
      "func f() throws -> [Int: Int] where A: B { return [:];"),
    Sample(.earlyReturn, c: "static int f(void) {\n  return g();\n}", "static int f(void) { return 0;"),
    Sample(.loop, "func f() {\n  for a in b {\n    c(a)\n  }\n}", "once: for a in b {"),
    Sample(.loop, "func f() {\n  for a in b {\n    guard a.c else { continue }\n    return d(a)\n  }\n}"),
    Sample(.loop, "func f() {\n  for a in b where a.c { return d(a) }\n}"),
    Sample(.loop, "func f() {\n  for a in b {\n    if a.c { return }\n  }\n}", "once: for a in b {"),
    Sample(.loop, c: "void f(void) {\n  while (a) {\n    b();\n  }\n}", "once: while (a) {"),
  ]

  @Test("The mutator finds the mutants of each kind", arguments: samples)
  func operators(sample: Sample) {
    let source = Source(path: "A", text: sample.text, sample.language)

    let mutants = Mutator.mutants(of: source, cases: Mutator.cases(of: [source]))

    #expect(mutants.filter { $0.kind == sample.kind }.map(\.mutated) == sample.mutated)
  }

  @Test("Each kind of mutant has a sample")
  func kinds() {
    #expect(Set(Self.samples.map(\.kind)) == Set(Mutant.Kind.allCases))
  }

  @Test("The mutator ignores comments, strings, attributes, patterns and inactive code")
  func nothing() {
    let text = #"""
      // a < b
      let a = "\(b < "c")"
      @available(macOS 1, *) extension A {}
      #if canImport(NoSuchModule) && os(Windows)
      let c = d < e
      #endif
      func f(while a: Int, min: Int) { switch x { case 0, true: break; default: break } }
      """#
    let source = Source(path: "A", text: text, .swift)

    #expect(Mutator.mutants(of: source).map(\.mutated) == [])
  }

  @Test("Mutants are nested switches that keep each token on its line")
  func schemata() {
    let source = Source(path: "A", text: "func f() {\n  g(a + 1,\n    b)\n}", .swift)
    let mutants = Mutator.mutants(of: source)

    let (text, written) = Schemata.text(of: source, mutants.enumerated().map { ($0.offset, $0.element) })

    #expect(mutants.map(\.kind) == [.call, .arithmetic, .constant])
    #expect(written == [0, 1, 2])
    #expect(
      text == """
        func f() {
          if !mutant_is(0) { g((mutant_is(1) ? (a - 1) : (a + (mutant_is(2) ? (0) : (1)))),
            b) }
        }
        public import CMutants

        """)
  }

  @Test("Two values that a function returns at once are nested")
  func nestedReturns() {
    let source = Source(path: "A", text: "var isA: Bool { b }", .swift)
    let mutants = Mutator.mutants(of: source)

    let (text, written) = Schemata.text(of: source, mutants.enumerated().map { ($0.offset, $0.element) })

    #expect(written == [0, 1])
    #expect(
      text == """
        var isA: Bool { (mutant_is(0) ? true : ((mutant_is(1) ? false : (b)))) }
        public import CMutants

        """)
  }

  @Test("A closure that is one call keeps the type of its result")
  func closures() {
    let source = Source(path: "A", text: "let a = b { c($0) }", .swift)
    let mutants = Mutator.mutants(of: source)

    let (text, _) = Schemata.text(of: source, mutants.enumerated().map { ($0.offset, $0.element) })

    #expect(
      text == """
        let a = b { (mutant_is(0) ? () : (c($0))) }
        public import CMutants

        """)
  }

  @Test("Overlapping mutants are left out")
  func crossing() {
    let source = Source(path: "A", text: "let x = a - b + c", .swift)
    let mutants = Mutator.mutants(of: source)

    let (_, written) = Schemata.text(of: source, mutants.enumerated().map { ($0.offset, $0.element) })

    #expect(written.count == mutants.count)
  }
}

/// Mutants that nothing can find.
@Suite("Equivalent mutants")
struct EquivalentMutantTests {
  @Test("Each equivalent mutant exists in the sources")
  func listed() throws {
    let path = Repository.root.appending(path: "Tools/Mutating/Equivalent.tsv")

    let equivalents = try Equivalents(String(contentsOf: path, encoding: .utf8))
    let stale = equivalents.stale {
      try? String(contentsOf: Repository.root.appending(path: $0), encoding: .utf8)
    }

    #expect(stale == [])
  }

  @Test("An equivalent mutant without its line or with a missing field is reported")
  func stale() throws {
    let equivalents = try Equivalents("# comment\nA\ta < b\ta <= b\tbecause\nB\ta < b\ta <= b\tbecause\n")

    #expect(equivalents.stale { $0 == "A" ? "  a < b\n" : "a > b" }.map(\.path) == ["B"])
    #expect(equivalents.stale { _ in nil }.count == 2)
    #expect(throws: Equivalents.Malformed.self) { try Equivalents("A\ta < b\ta <= b\n") }
  }
}

/// What `Scripts/mutate --decided` need not try again.
@Suite("Decided mutants")
struct DecidedMutantTests {
  private func mutants(_ text: String) -> [Mutant] {
    Mutator.mutants(of: Source(path: "A.swift", text: text, .swift))
  }

  @Test("Each file in the list of decided mutants exists, once, and has something decided")
  func list() throws {
    let path = Repository.root.appending(path: "Tools/Mutating/Decided.tsv")
    let files = try Decisions(String(contentsOf: path, encoding: .utf8)).files

    #expect(!files.isEmpty && Set(files.map(\.path)).count == files.count)
    for file in files {
      #expect(
        FileManager.default.fileExists(atPath: Repository.root.appending(path: file.path).path),
        "\(file.path)")
      #expect(!file.places.isEmpty, "\(file.path)")
    }
  }

  @Test("A changed function is undecided, and not its neighbors, nor one with another comment or line break")
  func changes() throws {
    let (first, second) = ("func f() { if a(b) { g() } }\n", "func h() { if c { g() } }\n")
    var decisions = try Decisions("# comment\nA.swift\tarea\n")
    decisions.note(mutants(first + second), in: ["A.swift"])
    let read = try Decisions(decisions.text)

    #expect(mutants(first + second).allSatisfy(read.contain))
    #expect(
      mutants(first + "// More.\n" + second.replacing("{ if", with: "{\n  if")).allSatisfy(read.contain))
    let changed = mutants(first.replacing("b", with: "d") + second)
    #expect(Set(changed.filter { !read.contain($0) }.map(\.line)) == [1])
  }

  @Test("A line of the list needs a file and an area")
  func malformed() {
    #expect(throws: Decisions.Malformed.self) { try Decisions("A.swift\n") }
    #expect(throws: Decisions.Malformed.self) { try Decisions("\tarea\n") }
  }

  @Test("Scenarios are grouped by the words that their names begin with, so that each is in one group")
  func groups() {
    let names = [
      "zip: two", "zip, then cancel", "share", "share(replay:): late", "merge of three", "a chain", "amb",
    ]

    let groups = beginnings(of: names)

    #expect(groups == ["a", "merge", "share", "zip"])
    #expect(names.allSatisfy { name in groups.filter(name.hasPrefix).count == 1 })
  }
}
