import Streams

extension OperatorCase {
  static let sharing: [OperatorCase] = [
    OperatorCase(
      "share", .zeroDemandIsHarmless, .isShared, .isLossy,
      .deviates(.c23, because: "its subscribers have one upstream in common"),
      build: { $0.share() })
  ]
}
