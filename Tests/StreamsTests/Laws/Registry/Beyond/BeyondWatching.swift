import Streams
import StreamsExtras
import StreamsTesting

extension OperatorCase {
  static let beyondWatching: [OperatorCase] = [
    OperatorCase("debug", .zeroDemandIsHarmless, .forwardsSurplus, .named("Debug")) {
      $0.debug(to: { _ in })
    },
    OperatorCase("checkpoint", .passesThrough) {
      $0.checkpoint("law").mapError { $0.base }
    },
    OperatorCase("named", .passesThrough) { $0.named("law") },
    OperatorCase("handleDrops", .zeroDemandIsHarmless, .forwardsSurplus, .named("HandleDrops")) {
      $0.handleDrops { _ in }
    },
    OperatorCase("doFinally", .zeroDemandIsHarmless, .named("DoFinally")) { $0.doFinally { _ in } },
    OperatorCase("using", .zeroDemandIsHarmless, .named("Using")) { upstream in
      MorePublishers.Using { () throws(TestFailure) in
        0
      } publisher: { _ in
        upstream
      } release: { _ in
      }
    },
    .source(
      "Create", .sends([1, 2, 3]), .zeroDemandIsHarmless, .named("Create.Subscription<Int, TestFailure>")
    ) {
      MorePublishers.Create<Int, TestFailure> { subscriber in
        for value in 1...3 { subscriber.send(value) }
        subscriber.send(completion: .finished)
        return AnyCancellable {}
      }
    },
    .source(
      "Create that failed", .sends([1]), .fails(.scripted), .zeroDemandIsHarmless,
      .named("Create.Subscription<Int, TestFailure>")
    ) {
      MorePublishers.Create<Int, TestFailure> { subscriber in
        subscriber.send(1)
        subscriber.send(completion: .failure(.scripted))
        return AnyCancellable {}
      }
    },
    .source("create", .sends([1, 2]), .zeroDemandIsHarmless, .named("Create.Subscription<Int, TestFailure>"))
    {
      AnyPublisher<Int, TestFailure>.create { subscriber in
        for value in 1...2 { subscriber.send(value) }
        subscriber.send(completion: .finished)
        return AnyCancellable {}
      }
    },
    .source("fromCallback", .sends([1]), .zeroDemandIsHarmless, holdTogether) {
      AnyPublisher<Int, Never>.fromCallback { callback in
        callback(1)
        return AnyCancellable {}
      }.prefix(1)
    },
    .source("unfold", .sends([1, 2, 3]), .zeroDemandIsHarmless) {
      Publishers.unfold(1) { number in
        defer { number += 1 }
        return number < 4 ? number : nil
      }
    },
  ]
}

extension Lifetime.Token {
  /// One that nobody ends.
  static var endless: Lifetime.Token { kept.withLock { $0.token } }

  private static let kept = Guarded(Endless())
}

/// A leak sanitizer finds the count of weak references to what lives for ever only through one of them.
private struct Endless {
  let token = Lifetime.Token()
  private weak var sameToken: Lifetime.Token?
  /// Refers weakly to what the lifetime ends.
  private let entry: AnyCancellable

  init() {
    sameToken = token
    entry = token.lifetime.onEnd {}
  }
}
