import StreamImages
import Streams

/// Work that shows, finishes and fails when it is told to, and remembers how often it was begun and stopped.
final class ScriptedWork<Output: Sendable>: Sendable {
  private struct State: Sendable {
    var deliveries: [ResultSubscription<Output, ImagePipeline.Error>] = []
    var stops = 0
    var prepared: (@Sendable (ResultSubscription<Output, ImagePipeline.Error>) -> Void)?
  }

  private let state = Guarded(State())

  /// What is done at once when the work is begun.
  func onBegin(_ action: @escaping @Sendable (ResultSubscription<Output, ImagePipeline.Error>) -> Void) {
    state.withLock { $0.prepared = action }
  }

  var begins: Int { state.withLock { $0.deliveries.count } }
  var stops: Int { state.withLock { $0.stops } }

  func show(_ preview: Output) { latest?.show(preview) }
  func finish(_ value: Output) { latest?.finish(value) }
  func fail(_ error: ImagePipeline.Error) { latest?.fail(error) }

  /// Fails all that is unfinished: what is delivered to holds on to its subscription.
  func giveUp() {
    for subscription in state.withLock({ $0.deliveries }) { subscription.fail(.cancelled) }
  }

  private var latest: ResultSubscription<Output, ImagePipeline.Error>? {
    state.withLock { $0.deliveries.last }
  }

  var publisher: ResultPublisher<Output, ImagePipeline.Error> {
    ResultPublisher("ScriptedWork") { [self] subscription in
      let prepared = state.withLock { state in
        state.deliveries.append(subscription)
        return state.prepared
      }
      prepared?(subscription)
      // Weak, as it holds the deliveries, and these hold what stops the work.
      return AnyCancellable { [weak self] in self?.state.withLock { $0.stops += 1 } }
    }
  }
}
