import Streams
import StreamsExtras

extension Publisher {
  /// A usual helper, in which each closure may be left out.
  fileprivate func sink(
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil,
    receiveValue: ((Output) -> Void)? = nil
  ) -> AnyCancellable {
    note()
    return sink(receiveCompletion: { receiveCompletion?($0) }, receiveValue: { receiveValue?($0) })
  }
}

func optionalSinks() {
  show("sinks with closures that may be left out") {
    _ = Fail<Int, any Error>(error: CancellationError()).sink(receiveCompletion: { _ in note("completion") })
    _ = Just(1).setFailureType(to: (any Error).self).sink(
      receiveCompletion: { note("\($0)") }, receiveValue: { note("value \($0)") })
  }
}
