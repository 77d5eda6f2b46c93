import Streams
import StreamsExtras
import StreamsTesting

extension OperatorCase {
  /// Upstream 0 is the child, which leads; upstream 1 is the outer one. See ``flattening``.
  static let beyondFlattening: [OperatorCase] = [
    OperatorCase(
      "concatMap", said, finished, .zeroDemandIsHarmless, .named("FlatMap"), .holdsUpstream,
      pair: { inner, outer in outer.concatMap { _ in inner } }),
    OperatorCase(
      "flatMap(maxConcurrent:)", said, finished, .zeroDemandIsHarmless, .named("FlatMap"), .holdsUpstream,
      pair: { inner, outer in outer.flatMap(maxConcurrent: 2) { _ in inner } }),
    OperatorCase(
      "flatMapFirst", said, finished, .zeroDemandIsHarmless, .named("FlatMap"), .holdsUpstream,
      pair: { inner, outer in outer.flatMapFirst { _ in inner } }),
    OperatorCase(
      "flatMapSequential", said, finished, .zeroDemandIsHarmless, .named("FlatMap"),
      pair: { inner, outer in outer.flatMapSequential { _ in inner } }),
    OperatorCase(
      "flatMapSequential, one value of one publisher", said, finished, .zeroDemandIsHarmless,
      .named("FlatMap"),
      pair: { inner, outer in outer.flatMapSequential(maxConcurrent: 1, prefetch: 1) { _ in inner } }),
    OperatorCase(
      "exhaustMap", said, finished, .zeroDemandIsHarmless, .named("FlatMap"), .holdsUpstream,
      pair: { inner, outer in outer.exhaustMap { _ in inner } }),
    OperatorCase(
      "concatMapEager", said, finished, .zeroDemandIsHarmless, .named("FlatMap"),
      pair: { inner, outer in outer.concatMapEager { _ in inner } }),
    OperatorCase(
      "flatMapLatest", said, finished, .named("SwitchToLatest"),
      pair: { inner, outer in outer.flatMapLatest { _ in inner } }),
    OperatorCase(
      "switchMap", said, finished, .named("SwitchToLatest"),
      pair: { inner, outer in outer.switchMap { _ in inner } }),
    OperatorCase("expand", .zeroDemandIsHarmless, .named("Expand")) {
      $0.expand { _ in Empty<Int, TestFailure>() }
    },
    OperatorCase("expand, depth-first", .zeroDemandIsHarmless, .named("Expand")) {
      $0.expand(.depthFirst) { _ in Empty<Int, TestFailure>() }
    },
    OperatorCase("concatMap to one value", .zeroDemandIsHarmless) {
      $0.concatMap { Just($0).setFailureType(to: TestFailure.self) }
    },
    OperatorCase("flatMap(maxConcurrent:) to one value", .zeroDemandIsHarmless) {
      $0.flatMap(maxConcurrent: 3) { Just($0).setFailureType(to: TestFailure.self) }
    },
    OperatorCase("flatMapSequential to a sequence", .zeroDemandIsHarmless, .sends([1, 2, 2, 3, 3, 3])) {
      $0.flatMapSequential {
        Array(repeating: $0, count: $0).publisher.setFailureType(to: TestFailure.self)
      }
    },
    OperatorCase(
      "flatMapDelayingErrors", said, finished, .zeroDemandIsHarmless, .named("FlatMap"), .holdsUpstream,
      .deviates(.c07, because: "it keeps the failure until all have ended"),
      pair: { inner, outer in outer.flatMapDelayingErrors { _ in inner } }),
  ]

  private static let said = OperatorTrait.begins(.say(upstream: 1, 0))
  private static let finished = OperatorTrait.closes(.finish(upstream: 1))
}
