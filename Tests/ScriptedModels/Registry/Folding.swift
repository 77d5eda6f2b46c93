internal import Streams

extension Registry {
  static var folding: [ModelledOperator] {
    [
      fold("reduce", atEnd: { [$0.reduce(0, +)] }) { $0.reduce(0, +) },
      fold("tryReduce", throwing: { $0 == 7 }, atEnd: { [$0.reduce(0, +)] }) {
        $0.tryReduce(0) { try $0 + $1.checked() }
      },
      fold("count", atEnd: { [$0.count] }) { $0.count() },
      fold("min", atEnd: { $0.min().map { [$0] } ?? [] }) { $0.min() },
      fold("max", atEnd: { $0.max().map { [$0] } ?? [] }) { $0.max() },
      fold("last", atEnd: { $0.suffix(1) }) { $0.last() },
      fold("last(where:)", atEnd: { $0.filter { $0 < 4 }.suffix(1) }) { $0.last { $0 < 4 } },
      fold("first", early: { $0.first }, atEnd: { _ in [] }) { $0.first() },
      fold("first(where:)", early: { $0.first { $0 > 3 } }, atEnd: { _ in [] }) { $0.first { $0 > 3 } },
      fold("contains", early: { $0.contains(3) ? 1 : nil }, atEnd: { _ in [0] }) {
        $0.contains(3).map { $0 ? 1 : 0 }
      },
      fold("allSatisfy", early: { $0.contains { $0 > 5 } ? 0 : nil }, atEnd: { _ in [1] }) {
        $0.allSatisfy { $0 <= 5 }.map { $0 ? 1 : 0 }
      },
      ModelledOperator(
        "collect",
        model: {
          ListModel(.everything) { values, ending in
            switch ending {
            case .finished: ([values], .finished)
            case nil, .failed: ([], ending)
            }
          }
        }, tell: { $0 }, make: { $0[0].collect() }),
      ModelledOperator(
        "collect(2)",
        model: {
          ListModel(.asDownstream(times: 2)) { values, ending in
            let full = stride(from: 0, to: values.count - 1, by: 2).map { Array(values[$0...$0 + 1]) }
            let rest = ending == .finished && values.count % 2 == 1 ? [[values[values.count - 1]]] : []
            return (full + rest, ending)
          }
        }, tell: { $0 }, make: { $0[0].collect(2) }),
    ]
  }

  /// - Parameters:
  ///   - early: The answer, if it is known before the end.
  ///   - atEnd: The answer, or none, when upstream has finished.
  private static func fold<Made: Publisher<Int, Failure>, Failure: Error>(
    _ name: String, throwing: @escaping (Int) -> Bool = { _ in false },
    early: @escaping ([Int]) -> Int? = { _ in nil },
    atEnd: @escaping ([Int]) -> [Int], make: @escaping (Source) -> Made
  ) -> ModelledOperator {
    let model = ListModel(.everything) { values, ending in
      if values.contains(where: throwing) { return ([], .failed(9)) }
      if let answer = early(values) { return ([[answer]], .finished) }
      return (ending == .finished ? atEnd(values).map { [$0] } : [], ending)
    }
    return ModelledOperator(name, model: { model }) { make($0[0]) }
  }
}
