import Streams
import StreamsExtras
import StreamsTesting

extension OperatorCase {
  static let beyondSharing: [OperatorCase] = [
    OperatorCase(
      "share(replay:)", .sends([1, 2, 3]), .zeroDemandIsHarmless, .isShared, hasOneUpstream, holdTogether,
      .named("Share"), build: { $0.share(replay: 5, scope: .whileConnected) }),
    OperatorCase(
      "share(replay:) for ever", .sends([1, 2, 3]), .zeroDemandIsHarmless, .isShared, hasOneUpstream,
      holdTogether, .named("Share"), build: { $0.share(replay: 5) }),
    OperatorCase(
      "partition", .thinsOut, .zeroDemandIsHarmless, .isShared, .isLossy, hasOneUpstream, holdTogether,
      build: { upstream in
        let (odd, even) = upstream.partition { $0 % 2 == 1 }
        return odd.merge(with: even)
      }),
    OperatorCase(
      "refCount that waits", .zeroDemandIsHarmless, .isShared, .isLossy, hasOneUpstream, .named("Share"),
      scheduled: { upstream, scheduler in
        upstream.multicast { PassthroughSubject() }.refCount(
          disconnectAfter: .seconds(1), scheduler: scheduler)
      }),
    OperatorCase(
      "refCount", .zeroDemandIsHarmless, .isShared, .isLossy, hasOneUpstream, .named("Share"),
      build: { $0.multicast { PassthroughSubject() }.refCount() }),
    .subject(
      "ReplaySubject", .zeroDemandIsHarmless, .named("ReplaySubject"),
      .deviates(.c23, because: "its subscribers listen to one stream")
    ) {
      ReplaySubject(bufferSize: 3)
    },
  ]

  private static let hasOneUpstream = OperatorTrait.deviates(
    .c23, because: "its subscribers have one upstream in common")
}
