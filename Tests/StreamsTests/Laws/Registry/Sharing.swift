import Streams
import StreamsTesting

extension OperatorCase {
  static let sharing: [OperatorCase] = [
    OperatorCase(
      "share", .zeroDemandIsHarmless, .isShared, .isLossy, hasOneUpstream, .named("Multicast"),
      build: { $0.share() }),
    OperatorCase(
      "multicast, autoconnected", .zeroDemandIsHarmless, .isShared, .isLossy, hasOneUpstream,
      .named("Multicast"),
      build: { $0.multicast { PassthroughSubject() }.autoconnect() }),
    OperatorCase(
      "multicast to a subject with a value, autoconnected", .sends([0, 1, 2, 3]), .prelude(1), .thinsOut,
      .zeroDemandIsHarmless, .isShared, .isLossy, hasOneUpstream, .named("Multicast"),
      build: { $0.multicast(subject: CurrentValueSubject(0)).autoconnect() }),
    OperatorCase(
      "makeConnectable, autoconnected", .zeroDemandIsHarmless, .isShared, .isLossy, hasOneUpstream,
      .named("Multicast"),
      assembling: { stand in stand.upstream(failing: Never.self).makeConnectable().autoconnect() }),
  ]

  private static let hasOneUpstream = OperatorTrait.deviates(
    .c23, because: "its subscribers have one upstream in common")
}
