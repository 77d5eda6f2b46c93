import Streams
import StreamsTesting
import Testing

/// An operator on a publisher does what its namesake does on an array, for every small array and way of
/// asking.
@Suite("Operators compared with arrays", .atMostTenIssues)
struct SequenceTwins {
  @Test(
    "An operator on a sequence's publisher agrees with the same operation on an array", arguments: twins,
    Asking.allCases)
  func twin(_ twin: Twin, _ asking: Asking) {
    let differences = twin.differences(asking)

    #expect(differences.isEmpty)
  }

  private static let twins: [Twin] = [
    .array("map", { $0.map { $0 * 2 } }, { $0.map { $0 * 2 } }),
    .array("map by key path", { $0.map(\.description) }, { $0.map(\.description) }),
    .array("compactMap", { $0.compactMap { Optional($0) } }, { $0 }),
    .array(
      "compactMap to less", { $0.compactMap { $0 == 1 ? nil : $0 + 1 } },
      { $0.filter { $0 != 1 }.map { $0 + 1 } }),
    .array(
      "replaceNil", { $0.map { $0 == 1 ? nil : $0 }.replaceNil(with: 7) }, { $0.map { $0 == 1 ? 7 : $0 } }),
    .array("scan", { $0.scan(5, -) }, { values in values.indices.map { values[...$0].reduce(5, -) } }),
    .array("encode", { $0.encode(encoder: Lossless()).assertNoFailure() }, { $0 }),
    .array("decode", { $0.decode(type: Int.self, decoder: Lossless()).assertNoFailure() }, { $0 }),

    .array("filter", { $0.filter { $0 != 1 } }, { $0.filter { $0 != 1 } }),
    .array("removeDuplicates", { $0.removeDuplicates() }, { distinct($0, by: ==) }),
    .array("removeDuplicates(by:)", { $0.removeDuplicates { $0 < $1 } }, { distinct($0, by: <) }),
    .array("replaceEmpty", { $0.replaceEmpty(with: 7) }, { $0.isEmpty ? [7] : $0 }),
    .array("replaceError", { $0.setFailureType(to: TestFailure.self).replaceError(with: 7) }, { $0 }),
    .array("dropFirst", { $0.dropFirst() }, { Array($0.dropFirst()) }),
    .array("dropFirst, three", { $0.dropFirst(3) }, { Array($0.dropFirst(3)) }),
    .array("drop(while:)", { $0.drop { $0 < 2 } }, { Array($0.drop { $0 < 2 }) }),
    .array("prefix, none", { $0.prefix(0) }, { _ in [] }),
    .array("prefix, one", { $0.prefix(1) }, { Array($0.prefix(1)) }),
    .array("prefix, three", { $0.prefix(3) }, { Array($0.prefix(3)) }),
    .array("prefix(while:)", { $0.prefix { $0 < 2 } }, { Array($0.prefix { $0 < 2 }) }),
    .array("output(at:)", { $0.output(at: 1) }, { Array($0.dropFirst().prefix(1)) }),
    .array("output(in:)", { $0.output(in: 1..<3) }, { Array($0.dropFirst().prefix(2)) }),
    .array("output(in:) to the end", { $0.output(in: 2...) }, { Array($0.dropFirst(2)) }),

    .array("collect", { $0.collect() }, { [$0] }),
    .array("collect(two)", { $0.collect(2) }, { groups(of: 2, in: $0) }),
    .array("collect(three)", { $0.collect(3) }, { groups(of: 3, in: $0) }),
    .array("count", { $0.count() }, { [$0.count] }),
    .array("reduce", { $0.reduce(5, -) }, { [$0.reduce(5, -)] }),
    .array("min", { $0.min() }, { $0.min().map { [$0] } ?? [] }),
    .array("max", { $0.max() }, { $0.max().map { [$0] } ?? [] }),
    .array("min(by:)", { $0.min { $0 % 2 < $1 % 2 } }, { $0.min { $0 % 2 < $1 % 2 }.map { [$0] } ?? [] }),
    .array("max(by:)", { $0.max { $0 % 2 < $1 % 2 } }, { $0.max { $0 % 2 < $1 % 2 }.map { [$0] } ?? [] }),
    .array("contains", { $0.contains(1) }, { [$0.contains(1)] }),
    .array("contains(where:)", { $0.contains { $0 > 1 } }, { [$0.contains { $0 > 1 }] }),
    .array("allSatisfy", { $0.allSatisfy { $0 < 2 } }, { [$0.allSatisfy { $0 < 2 }] }),
    .array("first", { $0.first() }, { $0.first.map { [$0] } ?? [] }),
    .array("first(where:)", { $0.first { $0 > 0 } }, { $0.first { $0 > 0 }.map { [$0] } ?? [] }),
    .array("last", { $0.last() }, { $0.last.map { [$0] } ?? [] }),
    .array("last(where:)", { $0.last { $0 > 0 } }, { $0.last { $0 > 0 }.map { [$0] } ?? [] }),

    .array(
      "flatMap, one at a time",
      { $0.flatMap(maxPublishers: .max(1)) { Array(repeating: $0, count: $0).publisher } },
      { $0.flatMap { Array(repeating: $0, count: $0) } }),
    .array("flatMap to one value", { $0.flatMap { Just($0) } }, { $0 }),
    .array("buffer, kept full", { $0.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest) }, { $0 }),
    .array("buffer, by request", { $0.buffer(size: 4, prefetch: .byRequest, whenFull: .dropNewest) }, { $0 }),
    .array("zip with itself", { $0.zip($0, *) }, { zip($0, $0).map(*) }),
    .array("retry", { $0.retry(2) }, { $0 }),
    .array("share", { $0.share() }, { $0 }),
    .array("receive(on:)", { $0.receive(on: ImmediateScheduler.shared) }, { $0 }),
  ]

  private static func distinct(_ values: [Int], by isSame: (Int, Int) -> Bool) -> [Int] {
    values.indices.filter { $0 == 0 || !isSame(values[$0 - 1], values[$0]) }.map { values[$0] }
  }

  private static func groups(of count: Int, in values: [Int]) -> [[Int]] {
    stride(from: 0, to: values.count, by: count).map { Array(values[$0..<min($0 + count, values.count)]) }
  }
}

/// Codes a number as itself.
private struct Lossless: TopLevelEncoder, TopLevelDecoder {
  func encode<Value: Encodable>(_ value: Value) throws -> Int { try #require(value as? Int) }
  func decode<Value: Decodable>(_: Value.Type, from number: Int) throws -> Value {
    try #require(number as? Value)
  }
}
