import Streams

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

  private static let hasOneStream = Trait.deviates(.c23, because: "its subscribers listen to one stream")
}
