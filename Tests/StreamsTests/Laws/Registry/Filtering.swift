import Streams

extension OperatorCase {
  static let filtering: [OperatorCase] = [
    OperatorCase("filter", .passesThrough) { $0.filter { $0 > 0 } },
    OperatorCase("filter that drops", .sends([2]), .passing(2), .passesThrough) {
      $0.filter { $0.isMultiple(of: 2) }
    },
    OperatorCase("filter of filter", .sends([2]), .passing(2), .passesThrough) {
      $0.filter { $0.isMultiple(of: 2) }.filter { $0 > 0 }
    },
    OperatorCase("prefix(while:)", .stops(at: 50), .forwardsSurplus, .named("PrefixWhile")) {
      $0.prefix { $0 < 50 }
    },
    OperatorCase(
      "tryPrefix(while:)", .stops(at: 50), .throwsAt(60), .forwardsSurplus, .named("TryPrefixWhile")
    ) { upstream in
      upstream.tryPrefix { value in
        if value == 60 { throw TestFailure.thrown }
        return value < 50
      }
    },
  ]
}
