internal import Streams

extension Registry {
  static var combining: [ModelledOperator] {
    [
      ModelledOperator(
        "zip", sources: 2, model: { ZipModel(2) }, tell: { [$0.0, $0.1] }, make: { $0[0].zip($0[1]) }),
      ModelledOperator(
        "zip of 3", sources: 3, model: { ZipModel(3) }, tell: { [$0.0, $0.1, $0.2] },
        make: { $0[0].zip($0[1], $0[2]) }),
      ModelledOperator(
        "zip of 4", sources: 4, model: { ZipModel(4) }, tell: { [$0.0, $0.1, $0.2, $0.3] },
        make: { $0[0].zip($0[1], $0[2], $0[3]) }),
      ModelledOperator(
        "combineLatest", sources: 2, model: { LatestModel(2) }, tell: { [$0.0, $0.1] },
        make: { $0[0].combineLatest($0[1]) }),
      ModelledOperator(
        "combineLatest of 3", sources: 3, model: { LatestModel(3) }, tell: { [$0.0, $0.1, $0.2] },
        make: { $0[0].combineLatest($0[1], $0[2]) }),
      ModelledOperator(
        "combineLatest of 4", sources: 4, model: { LatestModel(4) }, tell: { [$0.0, $0.1, $0.2, $0.3] },
        make: { $0[0].combineLatest($0[1], $0[2], $0[3]) }),
      merge(2) { Publishers.Merge($0[0], $0[1]) },
      merge(3) { $0[0].merge(with: $0[1], $0[2]) },
      merge(4) { $0[0].merge(with: $0[1], $0[2], $0[3]) },
      merge(5) { $0[0].merge(with: $0[1], $0[2], $0[3], $0[4]) },
      merge(6) { $0[0].merge(with: $0[1], $0[2], $0[3], $0[4], $0[5]) },
      merge(7) { $0[0].merge(with: $0[1], $0[2], $0[3], $0[4], $0[5], $0[6]) },
      merge(8) { $0[0].merge(with: $0[1], $0[2], $0[3], $0[4], $0[5], $0[6], $0[7]) },
      ModelledOperator("merge many", sources: 3, model: { FlattenModel.merge(3) }) {
        Publishers.MergeMany($0.sources)
      },
      ModelledOperator("append", sources: 2, model: { concatenation }) { $0[0].append($0[1]) },
      ModelledOperator("prepend", sources: 2, model: { concatenation }) { $0[1].prepend($0[0]) },
    ]
  }

  private static var concatenation: SuccessionModel {
    SuccessionModel { number, ending, _ in number == 0 && ending == .finished ? .source : .end(ending) }
  }

  private static func merge<Made: Publisher<Int, Breakdown>>(
    _ count: Int, make: @escaping (Stage) -> Made
  ) -> ModelledOperator {
    ModelledOperator("merge of \(count)", sources: count, model: { FlattenModel.merge(count) }, make: make)
  }
}
