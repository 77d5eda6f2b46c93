import Streams
import StreamsTesting

extension OperatorCase {
  /// Upstream 0 is the inner publisher, which leads; upstream 1 is the outer one.
  static let flattening: [OperatorCase] = [
    OperatorCase(
      "flatMap", said, finished, .holdsUpstream, pair: { inner, outer in outer.flatMap { _ in inner } }),
    OperatorCase(
      "flatMap, one at a time", said, finished, .holdsUpstream,
      pair: { inner, outer in
        outer.flatMap(maxPublishers: .max(1)) { _ in inner }
      }),
    OperatorCase(
      "flatMap, failing only inside", said, finished, .holdsUpstream,
      assembling: { stand in
        let inner = stand.upstream()
        return stand.upstream(failing: Never.self).flatMap { _ in inner }
      }),
    OperatorCase(
      "flatMap, failing only inside, one at a time", said, finished, .holdsUpstream,
      assembling: { stand in
        let inner = stand.upstream()
        return stand.upstream(failing: Never.self).flatMap(maxPublishers: .max(1)) { _ in
          inner
        }
      }),
    OperatorCase(
      "flatMap, failing only outside", said, finished, .holdsUpstream,
      assembling: { stand in
        let inner = stand.upstream(failing: Never.self)
        return stand.upstream().flatMap { _ in inner }
      }),
    OperatorCase(
      "flatMap, failing only outside, one at a time", said, finished, .holdsUpstream,
      assembling: { stand in
        let inner = stand.upstream(failing: Never.self)
        return stand.upstream().flatMap(maxPublishers: .max(1)) { _ in inner }
      }),
    OperatorCase(
      "flatMap, never failing", said, finished, .holdsUpstream,
      assembling: { stand in
        let inner = stand.upstream(failing: Never.self)
        return stand.upstream(failing: Never.self).flatMap { _ in inner }
      }),
    OperatorCase(
      "flatMap, never failing, one at a time", said, finished, .holdsUpstream,
      assembling: { stand in
        let inner = stand.upstream(failing: Never.self)
        return stand.upstream(failing: Never.self).flatMap(maxPublishers: .max(1)) { _ in
          inner
        }
      }),
    OperatorCase("flatMap to one value") { $0.flatMap { Just($0) } },
    OperatorCase("flatMap to one value, one at a time") { $0.flatMap(maxPublishers: .max(1)) { Just($0) } },
    OperatorCase("flatMap to a sequence", .isUnordered, .sends([1, 2, 2, 3, 3, 3])) {
      $0.flatMap { Array(repeating: $0, count: $0).publisher }
    },
    OperatorCase("flatMap to a sequence, one at a time", .sends([1, 2, 2, 3, 3, 3])) {
      $0.flatMap(maxPublishers: .max(1)) { Array(repeating: $0, count: $0).publisher }
    },
  ]

  private static let said = OperatorTrait.begins(.say(upstream: 1, 0))
  private static let finished = OperatorTrait.closes(.finish(upstream: 1))

  /// Upstreams as above.
  static let switching: [OperatorCase] = [
    OperatorCase(
      "switchToLatest", said, finished, switches,
      pair: { inner, outer in outer.map { _ in inner }.switchToLatest() }),
    OperatorCase(
      "switchToLatest, failing only inside", said, finished, switches,
      assembling: { stand in
        let inner = stand.upstream()
        return stand.upstream(failing: Never.self).map { _ in inner }.switchToLatest()
      }),
    OperatorCase(
      "switchToLatest, failing only outside", said, finished, switches,
      assembling: { stand in
        let inner = stand.upstream(failing: Never.self)
        return stand.upstream().map { _ in inner }.switchToLatest()
      }),
    OperatorCase(
      "switchToLatest, never failing", said, finished, switches,
      assembling: { stand in
        let inner = stand.upstream(failing: Never.self)
        return stand.upstream(failing: Never.self).map { _ in inner }.switchToLatest()
      }),
    OperatorCase(
      "switchToLatest, the second child", .attempt(1), .begins(.say(upstream: 1, 0), .say(upstream: 1, 0)),
      finished, switches,
      pair: { inner, outer in outer.map { _ in inner }.switchToLatest() }),
  ]

  private static let switches = OperatorTrait.named("SwitchToLatest")
}
