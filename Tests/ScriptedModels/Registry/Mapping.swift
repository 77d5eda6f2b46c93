internal import Streams

extension Registry {
  static var mapping: [ModelledOperator] {
    [
      stage("map", each: { [$0 * 2] }) { $0.map { $0 * 2 } },
      stage("tryMap", throwing: { $0 == 7 }, each: { [$0 + 1] }) { $0.tryMap { try $0.checked() + 1 } },
      stage("compactMap", each: { $0 % 3 == 0 ? [] : [$0] }) { $0.compactMap { $0 % 3 == 0 ? nil : $0 } },
      stage("tryCompactMap", throwing: { $0 == 7 }, each: { $0 % 2 == 0 ? [] : [$0] }) {
        $0.tryCompactMap { try $0.checked() % 2 == 0 ? nil : $0 }
      },
      list("scan", { values in sums(values) }) { $0.scan(0, +) },
      list("tryScan", throwing: { $0 == 7 }, { values in sums(values) }) {
        $0.tryScan(0) { try $0 + $1.checked() }
      },
      stage("mapError", each: { [$0] }) { $0.mapError { $0 } },
    ]
  }

  private static func sums(_ values: [Int]) -> [Int] {
    values.indices.map { values[...$0].reduce(0, +) }
  }

  // MARK: Operators with one value out for one in, or none

  /// A stage that knows each value by itself.
  static func stage<Made: Publisher<Int, Failure>, Failure: Error>(
    _ name: String, throwing: @escaping (Int) -> Bool = { _ in false },
    each: @escaping (Int) -> [Int], make: @escaping (Source) -> Made
  ) -> ModelledOperator {
    list(name, throwing: throwing, { $0.flatMap(each) }, make: make)
  }

  /// A stage that knows the values before each.
  ///
  /// - Parameters:
  ///   - throwing: The value for which the operator's closure throws.
  ///   - ends: Whether the stream ends with the last of these values.
  static func list<Made: Publisher<Int, Failure>, Failure: Error>(
    _ name: String, throwing: @escaping (Int) -> Bool = { _ in false },
    ends: @escaping ([Int]) -> Bool = { _ in false }, _ rule: @escaping ([Int]) -> [Int],
    make: @escaping (Source) -> Made
  ) -> ModelledOperator {
    let model = ListModel { values, ending in
      if let wrong = values.firstIndex(where: throwing) {
        return (rule(Array(values[..<wrong])).map { [$0] }, .failed(9))
      }
      return (rule(values).map { [$0] }, ends(values) ? .finished : ending)
    }
    return ModelledOperator(name, model: { model }) { make($0[0]) }
  }
}

extension Int {
  /// Throws at seven.
  func checked() throws -> Int {
    if self == 7 { throw Breakdown(9) }
    return self
  }
}
