package import StreamImages

extension Publisher {
  /// Hands on every value on the main actor, and returns, or throws, when the stream is over.
  @MainActor
  package func run(_ receiveValue: @escaping @MainActor (Output) -> Void) async throws(Failure) {
    var subscription: AnyCancellable?
    let completion = await withCheckedContinuation { continuation in
      subscription = sink(
        receiveCompletion: { @MainActor completion in continuation.resume(returning: completion) },
        receiveValue: receiveValue)
    }
    subscription?.cancel()
    if case .failure(let error) = completion { throw error }
  }
}
