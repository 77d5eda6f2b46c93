internal import Streams

extension Registry {
  static var filtering: [ModelledOperator] {
    [
      stage("filter", each: { $0 % 2 == 0 ? [$0] : [] }) { $0.filter { $0 % 2 == 0 } },
      stage("tryFilter", throwing: { $0 == 7 }, each: { $0 % 2 == 0 ? [$0] : [] }) {
        $0.tryFilter { try $0.checked() % 2 == 0 }
      },
      list("removeDuplicates", { values in withoutRepetition(values) }) { $0.removeDuplicates() },
      ModelledOperator(
        "dropFirst(2)", model: { ListModel(.inAdvance(2)) { ($0.dropFirst(2).map { [$0] }, $1) } }
      ) { $0[0].dropFirst(2) },
      list("drop(while:)", { Array($0.drop { $0 < 4 }) }) { $0.drop { $0 < 4 } },
      list("prefix(3)", ends: { $0.count >= 3 }, { Array($0.prefix(3)) }) { $0.prefix(3) },
      list("prefix(while:)", ends: { $0.contains { $0 >= 5 } }, { Array($0.prefix { $0 < 5 }) }) {
        $0.prefix { $0 < 5 }
      },
      list("output(at: 1)", ends: { $0.count >= 2 }, { Array($0.dropFirst().prefix(1)) }) {
        $0.output(at: 1)
      },
      list("output(in: 1...2)", ends: { $0.count >= 3 }, { Array($0.dropFirst().prefix(2)) }) {
        $0.output(in: 1...2)
      },
      ModelledOperator(
        "ignoreOutput", model: { ListModel(.everything) { ([], $1) } }, tell: nothing,
        make: { $0[0].ignoreOutput() }),
      ModelledOperator(
        "replaceEmpty",
        model: {
          SuccessionModel { _, ending, wasEmpty in
            ending == .finished && wasEmpty ? .value(42) : .end(ending)
          }
        }
      ) { $0[0].replaceEmpty(with: 42) },
      ModelledOperator("drop(untilOutputFrom:)", sources: 2, model: { ValveModel(opens: true) }) {
        $0[0].drop(untilOutputFrom: $0[1])
      },
      ModelledOperator("prefix(untilOutputFrom:)", sources: 2, model: { ValveModel(opens: false) }) {
        $0[0].prefix(untilOutputFrom: $0[1])
      },
    ]
  }

  private static func withoutRepetition(_ values: [Int]) -> [Int] {
    values.indices.filter { $0 == 0 || values[$0] != values[$0 - 1] }.map { values[$0] }
  }

  private static func nothing(of _: Never) -> [Int] {}
}
