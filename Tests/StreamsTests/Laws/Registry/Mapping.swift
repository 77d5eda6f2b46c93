import Streams
import StreamsTesting

extension OperatorCase {
  static let mapping: [OperatorCase] = [
    OperatorCase("map", .sends([2, 3, 4]), .passesThrough) { $0.map { $0 &+ 1 } },
    OperatorCase("map of map", .sends([4, 6, 8]), .passesThrough) { $0.map { $0 &+ 1 }.map { $0 &* 2 } },
    OperatorCase("map by key path", .passesThrough) { $0.map(\.magnitude).map { Int($0) } },
    OperatorCase("map by two key paths", .passesThrough) {
      $0.map(\.magnitude, \.words.count).map { Int($0.0) &* $0.1 }
    },
    OperatorCase("map by three key paths", .passesThrough) {
      $0.map(\.magnitude, \.words.count, \.byteSwapped).map { Int($0.0) &* $0.1 }
    },
    OperatorCase(
      "tryMap", .sends([2, 3, 4]), .throwsAt(60), .zeroDemandIsHarmless, .forwardsSurplus, .named("TryMap")
    ) { upstream in
      upstream.tryMap { value in
        try thrown(if: value == 60)
        return value &+ 1
      }
    },
    OperatorCase(
      "setFailureType", .passesThrough,
      assembling: { stand in
        stand.upstream(failing: Never.self).setFailureType(to: TestFailure.self)
      }),
    OperatorCase("mapError", .passesThrough) { $0.mapError { $0 } },
    OperatorCase("replaceNil", .sends([1, 0, 3]), .passesThrough) {
      $0.map { $0 == 2 ? nil : $0 }.replaceNil(with: 0)
    },
    OperatorCase(
      "scan", .sends([1, 3, 6]), .zeroDemandIsHarmless, .forwardsSurplus, .named("Scan")
    ) {
      $0.scan(0, &+)
    },
    OperatorCase(
      "tryScan", .sends([1, 3, 6]), .throwsAt(60), .zeroDemandIsHarmless, .forwardsSurplus, .named("TryScan")
    ) { upstream in
      upstream.tryScan(0) { sum, value in
        try thrown(if: value == 60)
        return sum &+ value
      }
    },
  ]

  static let coding: [OperatorCase] = [
    OperatorCase(
      "encode", .sends([2, 3, 4]), .throwsAt(60), .zeroDemandIsHarmless, .forwardsSurplus, .named("Encode")
    ) {
      $0.encode(encoder: Successor())
    },
    OperatorCase(
      "decode", .sends([2, 3, 4]), .throwsAt(60), .zeroDemandIsHarmless, .forwardsSurplus, .named("Decode")
    ) {
      $0.decode(type: Int.self, decoder: Successor())
    },
  ]
}

/// Codes a number as the next one, and none above 59.
private struct Successor: TopLevelEncoder, TopLevelDecoder {
  func encode<Value: Encodable>(_ value: Value) throws -> Int {
    try decode(Int.self, from: value as? Int ?? 60)
  }

  func decode<Value: Decodable>(_: Value.Type, from number: Int) throws -> Value {
    guard number < 60, let value = number + 1 as? Value else { throw TestFailure.thrown }
    return value
  }
}
