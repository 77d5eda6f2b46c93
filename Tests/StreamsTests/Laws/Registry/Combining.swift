import Streams
import StreamsTesting

extension OperatorCase {
  static let combining: [OperatorCase] = [
    OperatorCase(
      "append(publisher), the first", .zeroDemandIsHarmless, .closes(.finish(upstream: 1)),
      pair: { $0.append($1) }),
    OperatorCase(
      "append(publisher), the second", .zeroDemandIsHarmless, .lead(1), .begins(.finish(upstream: 0)),
      pair: { $0.append($1) }),
    OperatorCase("append(values)", .zeroDemandIsHarmless, .sends([1, 2, 3, 8, 9]), .coda(2)) {
      $0.append(8, 9)
    },
    OperatorCase("append(sequence)", .zeroDemandIsHarmless, .sends([1, 2, 3, 8, 9]), .coda(2)) {
      $0.append([8, 9])
    },
    OperatorCase("append(no values)", .zeroDemandIsHarmless) { $0.append([]) },
    OperatorCase(
      "prepend(publisher), the first", .zeroDemandIsHarmless, .lead(1), .closes(.finish(upstream: 0)),
      pair: { $0.prepend($1) }),
    OperatorCase(
      "prepend(publisher), the second", .zeroDemandIsHarmless, .begins(.finish(upstream: 1)),
      pair: { $0.prepend($1) }),
    OperatorCase("prepend(values)", .zeroDemandIsHarmless, .sends([8, 9, 1, 2, 3]), .prelude(2)) {
      $0.prepend(8, 9)
    },
    OperatorCase("prepend(sequence)", .zeroDemandIsHarmless, .sends([8, 9, 1, 2, 3]), .prelude(2)) {
      $0.prepend([8, 9])
    },
    OperatorCase("prepend(no values)", .zeroDemandIsHarmless) { $0.prepend([]) },
  ]
}
