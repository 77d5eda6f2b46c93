import Foundation
import Synchronization

/// Wakes a thread that waits at a ``Wire``.
final class Bell: Sendable {
  /// There is something to read from it after it rang.
  let descriptor: Int32
  private let rope: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    // Without descriptors it is never heard, and the other side's leaving is what ends the wait.
    _ = pipe(&ends)
    (descriptor, rope) = (ends[0], ends[1])
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
  }

  deinit {
    close(descriptor)
    close(rope)
  }

  /// A bell that rings already cannot ring more: a full pipe is no matter.
  func ring() { _ = write(rope, [1], 1) }

  func quieten() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(descriptor, &bytes, bytes.count) > 0 {}
  }
}

/// Where a publisher puts its values for a thread that waits at a wire. Of several that nobody has taken, the last stays.
final class Mailbox<Value: Sendable>: Sendable {
  enum Mail: Sendable {
    case value(Value)
    case finished
    /// Who was to get it has left.
    case undeliverable
  }

  private struct State {
    var value: Value?
    var isFinished = false
  }

  private let state = Mutex(State())
  private let bell = Bell()

  func put(_ value: Value) {
    state.withLock { $0.value = value }
    bell.ring()
  }

  func finish() {
    state.withLock { $0.isFinished = true }
    bell.ring()
  }

  /// Waits for the next value, as long as somebody is at the other end of the wire.
  func next(for wire: Wire) -> Mail {
    while true {
      bell.quieten()
      if let mail = take() { return mail }
      if wire.wait(for: bell) == .hungUp { return .undeliverable }
    }
  }

  private func take() -> Mail? {
    state.withLock { state in
      defer { state.value = nil }
      return state.value.map { .value($0) } ?? (state.isFinished ? .finished : nil)
    }
  }
}
