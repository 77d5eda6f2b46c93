internal import Streams

/// What is known of the bytes of one load while they come in: their decoder, and what was shown of them.
final class DecodingSession: Sendable {
  private struct State {
    var decoder: AnyImageDecoder?
    var policy: PreviewPolicy?
    var hasShown = false
  }

  private let state = Guarded(State())

  var hasShown: Bool { state.withLock { $0.hasShown } }

  func noteShown() { state.withLock { $0.hasShown = true } }

  /// The decoder that was found first.
  func decoder(or find: () -> AnyImageDecoder?) -> AnyImageDecoder? {
    if let known = state.withLock({ $0.decoder }) { return known }
    let found = find()
    state.withLock { $0.decoder = found }
    return found
  }

  /// The policy, once it can be told.
  func policy(_ find: () -> PreviewPolicy?) -> PreviewPolicy? {
    if let known = state.withLock({ $0.policy }) { return known }
    let found = find()
    state.withLock { $0.policy = found }
    return found
  }
}
