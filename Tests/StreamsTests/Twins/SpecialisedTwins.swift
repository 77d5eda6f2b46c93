import Streams
import StreamsTesting
import Testing

/// Operators that a publisher of known values does at once send what the general ones would.
@Suite("Specialized operators", .atMostTenIssues)
struct SpecialisedTwins {
  @Test(
    "A specialized operator on a sequence's publisher sends the general operator's signals",
    arguments: sequences, Asking.allCases)
  func sequence(_ twin: Twin, _ asking: Asking) {
    let differences = twin.differences(asking)

    #expect(differences.isEmpty)
  }

  @Test(
    "A specialized operator on a single value sends the general operator's signals",
    arguments: justs + results, Asking.allCases)
  func one(_ twin: Twin, _ asking: Asking) {
    let differences = (0...2).flatMap { twin.differences([$0], asking) }

    #expect(differences.isEmpty)
  }

  @Test(
    "A specialized operator on an optional's publisher sends the general operator's signals",
    arguments: optionals, Asking.allCases)
  func optional(_ twin: Twin, _ asking: Asking) {
    let differences = ([[]] + (0...2).map { [$0] }).flatMap { twin.differences($0, asking) }

    #expect(differences.isEmpty)
  }

  private static let sequences: [Twin] = [
    .specialised("map", { $0.publisher.map { $0 * 2 } }, { $0.map { $0 * 2 } }),
    .specialised(
      "compactMap", { $0.publisher.compactMap { $0 == 1 ? nil : $0 } },
      { $0.compactMap { $0 == 1 ? nil : $0 } }),
    .specialised("scan", { $0.publisher.scan(5, -) }, { $0.scan(5, -) }),
    .specialised("setFailureType", { $0.publisher.setFailureType(to: TestFailure.self) }, { $0 }),
    .specialised("collect", { $0.publisher.collect() }, { $0.collect() }),
    .specialised("reduce", { $0.publisher.reduce(5, -) }, { $0.reduce(5, -) }),
    .specialised(
      "tryReduce", { $0.publisher.tryReduce(0) { try below(2, $0, $1) } },
      { $0.tryReduce(0) { try below(2, $0, $1) } }),
    .specialised("ignoreOutput", { $0.publisher.ignoreOutput() }, { $0.ignoreOutput() }),
    .specialised("allSatisfy", { $0.publisher.allSatisfy { $0 < 2 } }, { $0.allSatisfy { $0 < 2 } }),
    .specialised(
      "tryAllSatisfy", { $0.publisher.tryAllSatisfy { try below(2, $0, 0) < 1 } },
      { $0.tryAllSatisfy { try below(2, $0, 0) < 1 } }),
    .specialised("contains", { $0.publisher.contains(1) }, { $0.contains(1) }),
    .specialised("contains(where:)", { $0.publisher.contains { $0 > 1 } }, { $0.contains { $0 > 1 } }),
    .specialised(
      "tryContains(where:)", { $0.publisher.tryContains { try below(2, $0, 0) == 1 } },
      { $0.tryContains { try below(2, $0, 0) == 1 } }),
    .specialised("min", { $0.publisher.min() }, { $0.min() }),
    .specialised("max", { $0.publisher.max() }, { $0.max() }),
    .specialised("min(by:)", { $0.publisher.min { $0 % 2 < $1 % 2 } }, { $0.min { $0 % 2 < $1 % 2 } }),
    .specialised("max(by:)", { $0.publisher.max { $0 % 2 < $1 % 2 } }, { $0.max { $0 % 2 < $1 % 2 } }),
    .specialised("count", { $0.publisher.count() }, { $0.count() }),
    .specialised("filter", { $0.publisher.filter { $0 != 1 } }, { $0.filter { $0 != 1 } }),
    .specialised("dropFirst", { $0.publisher.dropFirst(2) }, { $0.dropFirst(2) }),
    .specialised("drop(while:)", { $0.publisher.drop { $0 < 2 } }, { $0.drop { $0 < 2 } }),
    .specialised("prefix", { $0.publisher.prefix(2) }, { $0.prefix(2) }),
    .specialised("prefix(while:)", { $0.publisher.prefix { $0 < 2 } }, { $0.prefix { $0 < 2 } }),
    .specialised("removeDuplicates", { $0.publisher.removeDuplicates() }, { $0.removeDuplicates() }),
    .specialised("first", { $0.publisher.first() }, { $0.first() }),
    .specialised("first(where:)", { $0.publisher.first { $0 > 0 } }, { $0.first { $0 > 0 } }),
    .specialised("last", { $0.publisher.last() }, { $0.last() }),
    .specialised("last(where:)", { $0.publisher.last { $0 > 0 } }, { $0.last { $0 > 0 } }),
    .specialised("output(at:)", { $0.publisher.output(at: 1) }, { $0.output(at: 1) }),
    .specialised("output(in:)", { $0.publisher.output(in: 1..<3) }, { $0.output(in: 1..<3) }),
    .specialised("append", { $0.publisher.append(7, 8) }, { $0.append(7, 8) }),
    .specialised("append(publisher)", { $0.publisher.append($0.publisher) }, { $0.append($0) }),
    .specialised("prepend", { $0.publisher.prepend([7, 8]) }, { $0.prepend([7, 8]) }),
    .specialised("prepend(publisher)", { $0.publisher.prepend($0.publisher) }, { $0.prepend($0) }),
  ]

  private static let justs: [Twin] = [
    .specialised("map", { Just($0[0]).map { $0 * 2 } }, { $0.map { $0 * 2 } }),
    .specialised(
      "tryMap", { Just($0[0]).tryMap { try below(2, $0, 0) } }, { $0.tryMap { try below(2, $0, 0) } }),
    .specialised(
      "compactMap", { Just($0[0]).compactMap { $0 == 1 ? nil : $0 } },
      { $0.compactMap { $0 == 1 ? nil : $0 } }),
    .specialised("filter", { Just($0[0]).filter { $0 != 1 } }, { $0.filter { $0 != 1 } }),
    .specialised("scan", { Just($0[0]).scan(5, -) }, { $0.scan(5, -) }),
    .specialised("reduce", { Just($0[0]).reduce(5, -) }, { $0.reduce(5, -) }),
    .specialised("collect", { Just($0[0]).collect() }, { $0.collect() }),
    .specialised("count", { Just($0[0]).count() }, { $0.count() }),
    .specialised("min", { Just($0[0]).min() }, { $0.min() }),
    .specialised("max(by:)", { Just($0[0]).max { $0 < $1 } }, { $0.max { $0 < $1 } }),
    .specialised("contains", { Just($0[0]).contains(1) }, { $0.contains(1) }),
    .specialised("allSatisfy", { Just($0[0]).allSatisfy { $0 < 2 } }, { $0.allSatisfy { $0 < 2 } }),
    .specialised("ignoreOutput", { Just($0[0]).ignoreOutput() }, { $0.ignoreOutput() }),
    .specialised("removeDuplicates", { Just($0[0]).removeDuplicates() }, { $0.removeDuplicates() }),
    .specialised("replaceEmpty", { Just($0[0]).replaceEmpty(with: 7) }, { $0.replaceEmpty(with: 7) }),
    .specialised("drop(while:)", { Just($0[0]).drop { $0 < 1 } }, { $0.drop { $0 < 1 } }),
    .specialised("dropFirst", { Just($0[0]).dropFirst() }, { $0.dropFirst() }),
    .specialised("prefix", { Just($0[0]).prefix(1) }, { $0.prefix(1) }),
    .specialised("prefix, none", { Just($0[0]).prefix(0) }, { $0.prefix(0) }),
    .specialised("prefix(while:)", { Just($0[0]).prefix { $0 < 1 } }, { $0.prefix { $0 < 1 } }),
    .specialised("first(where:)", { Just($0[0]).first { $0 > 0 } }, { $0.first { $0 > 0 } }),
    .specialised("last(where:)", { Just($0[0]).last { $0 > 0 } }, { $0.last { $0 > 0 } }),
    .specialised("output(at: 0)", { Just($0[0]).output(at: 0) }, { $0.output(at: 0) }),
    .specialised("output(at: 1)", { Just($0[0]).output(at: 1) }, { $0.output(at: 1) }),
    .specialised("append", { Just($0[0]).append(7, 8) }, { $0.append(7, 8) }),
    .specialised("prepend", { Just($0[0]).prepend(7, 8) }, { $0.prepend(7, 8) }),
  ]

  private static let results: [Twin] = [
    .specialised("Result.map", { result($0).map { $0 * 2 } }, { $0.map { $0 * 2 } }),
    .specialised(
      "Result.tryMap", { result($0).tryMap { try below(2, $0, 0) } }, { $0.tryMap { try below(2, $0, 0) } }),
    .specialised("Result.scan", { result($0).scan(5, -) }, { $0.scan(5, -) }),
    .specialised("Result.reduce", { result($0).reduce(5, -) }, { $0.reduce(5, -) }),
    .specialised("Result.collect", { result($0).collect() }, { $0.collect() }),
    .specialised("Result.count", { result($0).count() }, { $0.count() }),
    .specialised("Result.contains", { result($0).contains(1) }, { $0.contains(1) }),
    .specialised("Result.allSatisfy", { result($0).allSatisfy { $0 < 2 } }, { $0.allSatisfy { $0 < 2 } }),
    .specialised("Result.first", { result($0).first() }, { $0.first() }),
    .specialised("Result.last", { result($0).last() }, { $0.last() }),
  ]

  private static let optionals: [Twin] = [
    .specialised("Optional.map", { $0.first.publisher.map { $0 * 2 } }, { $0.map { $0 * 2 } }),
    .specialised(
      "Optional.compactMap", { $0.first.publisher.compactMap { $0 == 1 ? nil : $0 } },
      { $0.compactMap { $0 == 1 ? nil : $0 } }),
    .specialised("Optional.filter", { $0.first.publisher.filter { $0 != 1 } }, { $0.filter { $0 != 1 } }),
    .specialised("Optional.collect", { $0.first.publisher.collect() }, { $0.collect() }),
    .specialised("Optional.min", { $0.first.publisher.min() }, { $0.min() }),
    .specialised("Optional.first", { $0.first.publisher.first() }, { $0.first() }),
    .specialised("Optional.last(where:)", { $0.first.publisher.last { $0 > 0 } }, { $0.last { $0 > 0 } }),
    .specialised("Optional.dropFirst", { $0.first.publisher.dropFirst(0) }, { $0.dropFirst(0) }),
    .specialised(
      "Optional.prefix(while:)", { $0.first.publisher.prefix { $0 < 1 } }, { $0.prefix { $0 < 1 } }),
    .specialised("Optional.output(in:)", { $0.first.publisher.output(in: 0..<1) }, { $0.output(in: 0..<1) }),
    .specialised("Optional.ignoreOutput", { $0.first.publisher.ignoreOutput() }, { $0.ignoreOutput() }),
    .specialised(
      "Optional.removeDuplicates", { $0.first.publisher.removeDuplicates() }, { $0.removeDuplicates() }),
    .specialised(
      "Optional.replaceEmpty", { $0.first.publisher.replaceEmpty(with: 7) }, { $0.replaceEmpty(with: 7) }),
  ]

  private static func result(_ values: [Int]) -> Result<Int, Never>.Publisher {
    Result<Int, Never>.success(values[0]).publisher
  }

  private static func below(_ threshold: Int, _ left: Int, _ right: Int) throws -> Int {
    try thrown(if: max(left, right) >= threshold)
    return left + right
  }
}
