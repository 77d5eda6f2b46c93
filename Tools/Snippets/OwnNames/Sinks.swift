import Streams
import StreamsExtras

/// A `sink` without arguments, and one for each closure alone. Over Combine, the exact signature is the program's own.
extension Publisher {
  fileprivate func sink() -> AnyCancellable { sink(receiveCompletion: { _ in }, receiveValue: { _ in }) }

  fileprivate func sink(receiveValue: @escaping ((Output) -> Void)) -> AnyCancellable {
    note()
    return sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }

  fileprivate func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void
  ) -> AnyCancellable {
    note()
    return sink(receiveCompletion: receiveCompletion, receiveValue: { _ in })
  }
}

func sinks() {
  show("sinks of one's own") {
    _ = Just(1).sink { note("value \($0)") }
    _ = Just(1).sink(receiveCompletion: { note("\($0)") })
    let take: (Int) -> Void = { note("function \($0)") }
    _ = Just(2).sink(receiveValue: take)
    _ = Just(3).sink()
    _ = Just(4).sink(receiveCompletion: { _ in }, receiveValue: take)
  }
}
