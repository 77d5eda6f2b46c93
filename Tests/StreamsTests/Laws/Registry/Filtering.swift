import Streams
import StreamsTesting

extension OperatorCase {
  static let filtering: [OperatorCase] = [
    OperatorCase("filter", .passesThrough) { $0.filter { $0 > 0 } },
    OperatorCase("filter that drops", .sends([2]), .passing(2), .passesThrough) {
      $0.filter { $0.isMultiple(of: 2) }
    },
    OperatorCase("filter of filter", .sends([2]), .passing(2), .passesThrough) {
      $0.filter { $0.isMultiple(of: 2) }.filter { $0 > 0 }
    },
    OperatorCase(
      "tryFilter", .sends([2]), .passing(2), .throwsAt(60), .forwardsSurplus, .named("TryFilter")
    ) { upstream in
      upstream.tryFilter { value in
        try thrown(if: value == 60)
        return value.isMultiple(of: 2)
      }
    },
    OperatorCase(
      "tryFilter of filter", .sends([2]), .passing(2), .throwsAt(60), .forwardsSurplus, .named("TryFilter")
    ) { upstream in
      upstream.filter { $0.isMultiple(of: 2) }.tryFilter { value in
        try thrown(if: value == 60)
        return value > 0
      }
    },
    OperatorCase("compactMap", .sends([3, 4]), .passing(2), .passesThrough) {
      $0.compactMap { $0 < 2 ? nil : $0 &+ 1 }
    },
    OperatorCase("compactMap of compactMap, and map", .sends([8]), .passing(3), .passesThrough) {
      $0.compactMap { $0 < 2 ? nil : $0 &+ 1 }.compactMap { $0 < 4 ? nil : $0 }.map { $0 &* 2 }
    },
    OperatorCase(
      "tryCompactMap", .sends([2, 3]), .passing(2), .throwsAt(60), .forwardsSurplus, .named("TryCompactMap")
    ) { upstream in
      upstream.tryCompactMap { value in
        try thrown(if: value == 60)
        return value < 2 ? nil : value
      }
    },
    OperatorCase("ignoreOutput", .answers(), .zeroDemandIsHarmless, .named("IgnoreOutput")) {
      $0.ignoreOutput().map { (_: Never) -> Int in }
    },
    OperatorCase("replaceEmpty, before", .coda(1), .named("ReplaceEmpty")) { $0.replaceEmpty(with: 9) },
    OperatorCase("replaceEmpty, after", .answers(9), .answersNothing, .named("ReplaceEmpty")) {
      $0.filter { _ in false }.replaceEmpty(with: 9)
    },
  ]

  static let deduplicating: [OperatorCase] = [
    OperatorCase(
      "removeDuplicates", .needsDistinctValues, .forwardsSurplus, .named("RemoveDuplicates")
    ) {
      $0.removeDuplicates()
    },
    OperatorCase(
      "removeDuplicates(by:) that drops", .sends([1, 2]), .passing(2), .takes(2), .needsDistinctValues,
      .forwardsSurplus,
      .named("RemoveDuplicates")
    ) {
      $0.removeDuplicates { $0 / 2 == $1 / 2 }
    },
    OperatorCase(
      "tryRemoveDuplicates", .needsDistinctValues, .throwsAt(-1, after: 1), .forwardsSurplus,
      .named("TryRemoveDuplicates")
    ) { upstream in
      upstream.tryRemoveDuplicates { before, value in
        try thrown(if: value == -1)
        return before == value
      }
    },
  ]

  /// Upstream 1 is the other publisher.
  static let dropping: [OperatorCase] = [
    OperatorCase("dropFirst", .sends([2, 3]), .takes(2), .forwardsSurplus, .named("Drop")) { $0.dropFirst() },
    OperatorCase("dropFirst, none", .forwardsSurplus, .named("Drop")) { $0.dropFirst(0) },
    OperatorCase(
      "drop(while:)", .sends([2, 3]), .passing(2), .forwardsSurplus, .named("DropWhile")
    ) {
      $0.drop { $0 < 2 }
    },
    OperatorCase(
      "tryDrop(while:)", .sends([2, 3]), .passing(2), .throwsAt(60), .forwardsSurplus, .named("TryDropWhile")
    ) { upstream in
      upstream.tryDrop { value in
        try thrown(if: value == 60)
        return value < 2
      }
    },
    OperatorCase(
      "drop(untilOutputFrom:)", .begins(.say(upstream: 1, 0)), .zeroDemandIsHarmless,
      .named("DropUntilOutput"),
      pair: { $0.drop(untilOutputFrom: $1) }),
  ]

  /// Upstream 1 is the other publisher.
  static let limiting: [OperatorCase] = [
    OperatorCase("prefix(while:)", .stops(at: 50), .forwardsSurplus, .named("PrefixWhile")) {
      $0.prefix { $0 < 50 }
    },
    OperatorCase(
      "tryPrefix(while:)", .stops(at: 50), .throwsAt(60), .forwardsSurplus, .named("TryPrefixWhile")
    ) { upstream in
      upstream.tryPrefix { value in
        try thrown(if: value == 60)
        return value < 50
      }
    },
    OperatorCase(
      "prefix(untilOutputFrom:)", .zeroDemandIsHarmless, .named("PrefixUntilOutput"),
      pair: { $0.prefix(untilOutputFrom: $1) }),
    OperatorCase(
      "prefix, one", .sendsOnly(1), .stops(at: 7, sending: 7), .zeroDemandIsHarmless, .named("Output")
    ) {
      $0.prefix(1)
    },
    OperatorCase(
      "prefix, two", .sendsOnly(1, 2), .zeroDemandIsHarmless, .forwardsSurplus, .named("Output")
    ) {
      $0.prefix(2)
    },
    OperatorCase("prefix, more than come", .zeroDemandIsHarmless, .forwardsSurplus, .named("Output")) {
      $0.prefix(1000)
    },
    OperatorCase("prefix, none", .wantsNothing, .zeroDemandIsHarmless, .named("Empty")) { $0.prefix(0) },
    OperatorCase(
      "output(at:)", .sendsOnly(2), .takes(2), .zeroDemandIsHarmless, .named("Output")
    ) {
      $0.output(at: 1)
    },
    OperatorCase(
      "output(in:)", .sends([2, 3]), .takes(2), .zeroDemandIsHarmless, .forwardsSurplus, .named("Output")
    ) {
      $0.output(in: 1...)
    },
    OperatorCase("output(in: nothing)", .wantsNothing, .zeroDemandIsHarmless, .named("Empty")) {
      $0.output(in: 2..<2)
    },
  ]
}
