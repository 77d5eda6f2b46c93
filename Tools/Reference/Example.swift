import Foundation
import Streams
import StreamsExtras

/// An example of the reference: it runs, and what it prints is compared with what its comments say.
///
/// `// Prints 1, 2` lists what is printed in one line. `// Prints:` is followed by one comment for each line.
package struct Example {
  /// What the example calls: a name of `Examples.tsv`.
  package let name: String
  private let place: (file: String, line: Int)
  private let run: (Printer) async throws -> Void

  init(
    _ name: String, file: String = #filePath, line: Int = #line,
    _ run: @escaping (_ print: Printer) async throws -> Void
  ) {
    self.name = name
    place = (file, line)
    self.run = run
  }

  init(
    _ name: String, file: String = #filePath, line: Int = #line,
    _ run: @escaping (_ print: Printer) throws -> Void
  ) {
    self.init(name, file: file, line: line) { (print: Printer) async throws in try run(print) }
  }

  /// What is wrong with the example, or `nil`.
  package func fault() async throws -> String? {
    let printer = Printer()
    try await Printer.$current.withValue(printer) { try await run(printer) }
    let expected = try expectation()
    if expected.isEmpty { return "\(name): no comment says what is printed" }
    let printed = printer.lines.joined(separator: ", ")
    return printed == expected ? nil : "\(name): prints \(printed), not \(expected)"
  }

  /// What the comments say, from the line of the example to the end of its closure.
  private func expectation() throws -> String {
    let lines = try String(contentsOfFile: place.file, encoding: .utf8).components(separatedBy: "\n")
    var expected: [String] = []
    var isListing = false
    let end = lines[place.line - 1].prefix { $0 == " " } + "}"
    for line in lines[place.line...].prefix(while: { !$0.hasPrefix(end) }) {
      if let range = line.range(of: "// Prints ") {
        expected.append(String(line[range.upperBound...]))
      } else if line.hasSuffix("// Prints:") {
        isListing = true
      } else if isListing, let range = line.range(of: "// ") {
        expected.append(String(line[range.upperBound...]))
      } else {
        isListing = false
      }
    }
    return expected.joined(separator: ", ")
  }

  package static var all: [Example] { sources + operators + terminals }
}

/// Stands in for `print`, and keeps the lines.
final class Printer: TextOutputStream, Sendable {
  @TaskLocal static var current = Printer()

  private let text = Guarded("")

  var lines: [String] { text.withLock { $0.split(separator: "\n").map(String.init) } }

  func callAsFunction(_ value: Any) { write("\(value)\n") }

  func write(_ string: String) { text.withLock { $0 += string } }
}

extension Publisher {
  /// The lines of an example's `print(_:)` go where those of `print` go.
  func print(_ prefix: String) -> Publishers.Print<Self> { print(prefix, to: Printer.current) }
}
