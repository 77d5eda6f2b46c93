internal import Streams

/// The places of a load in progress. It gives them back while it waits for something else than its bytes: for the time of a retry, or
/// for another request of a pipeline. Then it takes its turn again.
final class LoadTurn: Sendable {
  typealias Places = HostQueues.Places

  /// The turn of the load that the present task is a part of.
  @TaskLocal private static var current: LoadTurn?

  private enum State {
    case holds(Places)
    /// So many parts of the load wait. The last one takes the turn again, and others go on meanwhile.
    case waits(Int)
    case ended
  }

  private let state: Guarded<State>
  private let again: @Sendable () -> FlowStep<Places>

  init(_ places: Places, _ again: @escaping @Sendable () -> FlowStep<Places>) {
    state = Guarded(.holds(places))
    self.again = again
  }

  func leave() {
    let places = state.withLock { state -> Places? in
      defer { state = .ended }
      return if case .holds(let places) = state { places } else { nil }
    }
    places?.leave()
  }

  /// Runs `work`, in which ``waiting(for:)`` gives these places back.
  func run<Value: Sendable>(
    _ work: () async throws(ImagePipeline.Error) -> Value
  ) async throws(ImagePipeline.Error) -> Value {
    let result = await Self.$current.withValue(self) { () async -> Result<Value, ImagePipeline.Error> in
      do throws(ImagePipeline.Error) { return .success(try await work()) } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// Waits without the places of the present load, if there is one. Throws only if the task is cancelled.
  static func waiting<Value: Sendable>(
    for wait: () async -> Value
  ) async throws(ImagePipeline.Error) -> Value {
    guard let current, current.beginWaiting() else { return await wait() }
    let value = await wait()
    guard current.endWaiting() else { return value }
    current.take(try await StreamImages.value(of: current.again()))
    return value
  }

  /// - Returns: False if the load has ended: this is a task that it has left behind.
  private func beginWaiting() -> Bool {
    let (isPart, places) = state.withLock { state -> (Bool, Places?) in
      switch state {
      case .holds(let places):
        state = .waits(1)
        return (true, places)
      case .waits(let count):
        state = .waits(count + 1)
        return (true, nil)
      case .ended: return (false, nil)
      }
    }
    places?.leave()
    return isPart
  }

  /// - Returns: Whether no part of the load waits any more.
  private func endWaiting() -> Bool {
    state.withLock { state in
      guard case .waits(let count) = state else { return false }
      state = .waits(count - 1)
      return count == 1
    }
  }

  /// Keeps places, unless a part of the load waits again, or it has ended.
  private func take(_ places: Places) {
    let isKept = state.withLock { state in
      guard case .waits(0) = state else { return false }
      state = .holds(places)
      return true
    }
    if !isKept { places.leave() }
  }
}
