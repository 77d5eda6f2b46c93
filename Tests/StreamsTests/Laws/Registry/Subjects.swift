import Streams
import StreamsTesting

extension OperatorCase {
  static let subjects: [OperatorCase] = [
    .subject("PassthroughSubject", .isLossy, .named("PassthroughSubject"), hasOneStream) {
      PassthroughSubject()
    },
    .subject(
      "CurrentValueSubject", .sends([0, 1, 2, 3]), .prelude(1), .isLossy, .named("CurrentValueSubject"),
      hasOneStream
    ) { CurrentValueSubject(0) },
  ]

  private static let hasOneStream = OperatorTrait.deviates(
    .c23, because: "its subscribers listen to one stream")
}
