import Foundation

/// How much of the reference has what it should have.
package struct Coverage {
  package private(set) var examples = (count: 0, of: 0)
  package private(set) var diagrams = (count: 0, of: 0)
  /// What is missing, for people.
  package private(set) var faults: [String] = []

  package init() throws {
    let comments = try Comment.all()
    countExamples(try Self.calls(), comments)
    countDiagrams(comments)
  }

  /// The calls of the list: name, file, and the beginning of the declaration.
  private static func calls() throws -> [(name: String, file: String, declaration: String)] {
    try String(contentsOfFile: Repository.root + "Tools/Reference/Examples.tsv", encoding: .utf8)
      .split(separator: "\n")
      .filter { !$0.hasPrefix("#") }
      .map { line in
        let cells = line.split(separator: "\t").map(String.init)
        return (cells[0], cells[2], cells[3])
      }
  }

  private mutating func countExamples(
    _ calls: [(name: String, file: String, declaration: String)], _ comments: [Comment]
  ) {
    let run = Set(Example.all.map(\.name))
    examples.of = calls.count
    for call in calls {
      let comment = comments.first { $0.file == call.file && $0.declaration.contains(call.declaration) }
      let code = comment?.code ?? []
      if comment == nil {
        faults.append("\(call.file): there is no \(call.declaration)")
      } else if !(3...8).contains(code.count) || !code.contains(where: { $0.contains("// Prints") }) {
        faults.append("\(call.name): no example of three to eight lines with what it prints")
      } else if !run.contains(call.name) {
        faults.append("\(call.name): the example is not run")
      } else {
        examples.count += 1
      }
    }
  }

  private mutating func countDiagrams(_ comments: [Comment]) {
    let drawn = Set(Diagram.all.map { "\($0.name).svg" })
    let needed = comments.filter(\.needsDiagram)
    diagrams.of = needed.count
    for comment in needed {
      if comment.images.contains(where: drawn.contains) {
        diagrams.count += 1
      } else {
        faults.append("no diagram: \(comment.file): \(comment.declaration)")
      }
    }
    let shown = Set(comments.flatMap(\.images))
    faults += drawn.subtracting(shown).sorted().map { "not shown by any comment: \($0)" }
    faults += shown.subtracting(drawn).sorted().map { "shown, but not drawn: \($0)" }
  }
}
