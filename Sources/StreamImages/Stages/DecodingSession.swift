internal import Streams

/// The state of one load between its previews: the decoder, and whether a preview was shown.
final class DecodingSession: Sendable {
  private struct State {
    var decoder: AnyImageDecoder?
    var policy: PreviewPolicy?
    var hasShown = false
  }

  private let state = Guarded(State())

  var hasShown: Bool { state.withLock { $0.hasShown } }

  func noteShown() { state.withLock { $0.hasShown = true } }

  /// Returns the decoder that was found first.
  func decoder(or find: () -> AnyImageDecoder?) -> AnyImageDecoder? {
    if let known = state.withLock({ $0.decoder }) { return known }
    let found = find()
    state.withLock { $0.decoder = found }
    return found
  }

  /// Returns the policy that was found first.
  func policy(_ find: () -> PreviewPolicy?) -> PreviewPolicy? {
    if let known = state.withLock({ $0.policy }) { return known }
    let found = find()
    state.withLock { $0.policy = found }
    return found
  }
}
