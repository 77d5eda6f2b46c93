internal import Streams

extension Registry {
  static var buffering: [ModelledOperator] {
    [0, 1, 3].flatMap { size in
      [true, false].flatMap { keepsFull in
        [
          buffer(size, keepsFull, .dropsNewest, { .dropNewest }),
          buffer(size, keepsFull, .dropsOldest, { .dropOldest }),
          buffer(size, keepsFull, .fails, { .customError { Breakdown(9) } }),
        ]
      }
    }
  }

  private static func buffer(
    _ size: Int, _ keepsFull: Bool, _ full: BufferModel.Full,
    _ whenFull: @escaping () -> Publishers.BufferingStrategy<Breakdown>
  ) -> ModelledOperator {
    ModelledOperator(
      "buffer(\(size), \(keepsFull ? "keepFull" : "byRequest"), \(full))",
      model: { BufferModel(size, keepsFull: keepsFull, full) }
    ) { $0[0].buffer(size: size, prefetch: keepsFull ? .keepFull : .byRequest, whenFull: whenFull()) }
  }
}
