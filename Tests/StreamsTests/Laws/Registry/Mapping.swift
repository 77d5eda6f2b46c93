import Streams

extension OperatorCase {
  static let mapping: [OperatorCase] = [
    OperatorCase("map", .sends([2, 3, 4]), .passesThrough) { $0.map { $0 &+ 1 } },
    OperatorCase("map of map", .sends([4, 6, 8]), .passesThrough) { $0.map { $0 &+ 1 }.map { $0 &* 2 } },
    OperatorCase("map by key path", .sends([1, 2, 3]), .passesThrough) {
      $0.map(\.magnitude).map { Int($0) }
    },
    OperatorCase(
      "tryMap", .sends([2, 3, 4]), .throwsAt(60), .zeroDemandIsHarmless, .forwardsSurplus, .named("TryMap")
    ) { upstream in
      upstream.tryMap { value in
        if value == 60 { throw TestFailure.thrown }
        return value &+ 1
      }
    },
    OperatorCase(
      "setFailureType", .passesThrough,
      assembling: { stand in
        stand.upstream(failing: Never.self).setFailureType(to: TestFailure.self)
      }),
    OperatorCase("mapError", .passesThrough) { $0.mapError { $0 } },
  ]
}
