internal import Streams

extension Registry {
  static var failing: [ModelledOperator] {
    [
      ModelledOperator("catch", sources: 2, model: { rescue }) { stage in
        let other = stage[1]
        return stage[0].catch { _ in other }
      },
      ModelledOperator("tryCatch", sources: 2, model: { rescue }) { stage in
        let other = stage[1]
        return stage[0].tryCatch { _ in other }
      },
      ModelledOperator(
        "tryCatch that throws",
        model: { SuccessionModel { _, ending, _ in .end(ending == .finished ? .finished : .failed(9)) } }
      ) { $0[0].tryCatch { _ -> Just<Int> in throw Breakdown(9) } },
      ModelledOperator(
        "replaceError",
        model: { SuccessionModel { _, ending, _ in ending == .finished ? .end(.finished) : .value(42) } }
      ) { $0[0].replaceError(with: 42) },
      ModelledOperator("retry(0)", model: { RetryModel(0) }) { $0[0].retry(0) },
      ModelledOperator("retry(2)", model: { RetryModel(2) }) { $0[0].retry(2) },
    ]
  }

  private static var rescue: SuccessionModel {
    SuccessionModel { number, ending, _ in number == 0 && ending != .finished ? .source : .end(ending) }
  }
}
