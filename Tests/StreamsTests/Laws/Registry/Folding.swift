import Streams
import StreamsTesting

extension OperatorCase {
  static let folding: [OperatorCase] = [
    OperatorCase("collect", .answers(123), .answersNothing, .named("Collect")) {
      $0.collect().map { $0.reduce(0) { $0 &* 10 &+ $1 } }
    },
    OperatorCase("count", .answers(3), .answersNothing, .named("Count")) { $0.count() },
    OperatorCase("reduce", .answers(6), .answersNothing, .named("Reduce")) { $0.reduce(0, &+) },
    OperatorCase("min", .answers(1), .named("Comparison")) { $0.min() },
    OperatorCase("min(by:)", .answers(3), .named("Comparison")) { $0.min { $0 > $1 } },
    OperatorCase("max", .answers(3), .named("Comparison")) { $0.max() },
    OperatorCase("max(by:)", .answers(1), .named("Comparison")) { $0.max { $0 > $1 } },
    OperatorCase("last", .answers(3), .named("Last")) { $0.last() },
    OperatorCase("last(where:)", .answers(2), .named("LastWhere")) { $0.last { $0 < 3 } },
  ]

  static let tryFolding: [OperatorCase] = [
    OperatorCase("tryReduce", .answers(6), .answersNothing, .throwsAt(60), .named("TryReduce")) { upstream in
      upstream.tryReduce(0) { sum, value in
        try thrown(if: value == 60)
        return sum &+ value
      }
    },
    OperatorCase("tryMin", .answers(1), .throwsAt(60, after: 1), .named("TryComparison")) { upstream in
      upstream.tryMin { left, right in
        try thrown(if: left == 60 || right == 60)
        return left < right
      }
    },
    OperatorCase("tryMax", .answers(3), .throwsAt(60, after: 1), .named("TryComparison")) { upstream in
      upstream.tryMax { left, right in
        try thrown(if: left == 60 || right == 60)
        return left < right
      }
    },
    OperatorCase("tryLast(where:)", .answers(2), .throwsAt(60), .named("TryLastWhere")) { upstream in
      upstream.tryLast { value in
        try thrown(if: value == 60)
        return value < 3
      }
    },
  ]

  /// Truth is 1, and the opposite 0.
  static let finding: [OperatorCase] = [
    OperatorCase("first", .answers(1), .stops(at: 7, sending: 7), .named("First")) { $0.first() },
    OperatorCase("first(where:)", .answers(2), .passing(2), .stops(at: 7, sending: 7), .named("TryFirst")) {
      $0.first { $0 > 1 }
    },
    OperatorCase(
      "tryFirst(where:)", .answers(2), .passing(2), .stops(at: 7, sending: 7), .throwsAt(60),
      .named("TryFirstWhere")
    ) { upstream in
      upstream.tryFirst { value in
        try thrown(if: value == 60)
        return value > 1
      }
    },
    OperatorCase(
      "contains, found", .answers(1), .answersNothing, .stops(at: 2, sending: 1), .named("Contains")
    ) {
      $0.contains(2).map { $0 ? 1 : 0 }
    },
    OperatorCase("contains, not found", .answers(0), .answersNothing, .stops(at: 7, sending: 1)) {
      $0.contains(7).map { $0 ? 1 : 0 }
    },
    OperatorCase(
      "contains(where:)", .answers(0), .answersNothing, .stops(at: 7, sending: 1), .named("ContainsWhere")
    ) {
      $0.contains { $0 > 5 }.map { $0 ? 1 : 0 }
    },
    OperatorCase(
      "tryContains(where:)", .answers(0), .answersNothing, .stops(at: 7, sending: 1), .throwsAt(60),
      .named("TryContainsWhere")
    ) { upstream in
      upstream.tryContains { value in
        try thrown(if: value == 60)
        return value > 5
      }.map { $0 ? 1 : 0 }
    },
    OperatorCase("allSatisfy", .answers(1), .answersNothing, .stops(at: 7, sending: 0), .named("AllSatisfy"))
    {
      $0.allSatisfy { $0 < 5 }.map { $0 ? 1 : 0 }
    },
    OperatorCase(
      "allSatisfy, not so", .answers(0), .answersNothing, .stops(at: 2, sending: 0), .named("AllSatisfy")
    ) {
      $0.allSatisfy { $0 < 2 }.map { $0 ? 1 : 0 }
    },
    OperatorCase(
      "tryAllSatisfy", .answers(1), .answersNothing, .stops(at: 7, sending: 0), .throwsAt(60),
      .named("TryAllSatisfy")
    ) { upstream in
      upstream.tryAllSatisfy { value in
        try thrown(if: value == 60)
        return value < 5
      }.map { $0 ? 1 : 0 }
    },
  ]
}
