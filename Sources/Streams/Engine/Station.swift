public import Synchronization

/// What every engine with one upstream and one downstream does when a stream begins and ends.
///
/// The part that needs no types: a subscription is cancelled, and let go of, by code that does not know them and would
/// have to look them up.
@usableFromInline
package class Station: Subscription {
  @usableFromInline final let turnstile = Turnstile()
  @exclusivity(unchecked)  // written on arrival, and when the last one leaves the turnstile
  @usableFromInline final var upstream: HeldSubscription?
  /// Where the downstream lies, and what belongs to it.
  @exclusivity(unchecked)  // cleared when the last one leaves the turnstile
  @usableFromInline final var place: UnsafeMutableRawPointer?
  /// Lets go of what lies there; formed where its type is known.
  @usableFromInline final let close: (UnsafeMutableRawPointer) -> Void

  @inlinable
  init(_ place: UnsafeMutableRawPointer, close: @escaping (UnsafeMutableRawPointer) -> Void) {
    self.place = place
    self.close = close
  }

  deinit {
    if let place { close(place) }
  }

  /// Goes in, and keeps the first subscription; cancels any other. To be followed by ``leave()`` whatever the answer.
  @usableFromInline
  final func arrive(_ subscription: any Subscription) -> Bool {
    _ = turnstile.enter()
    guard turnstile.attach() else {
      subscription.cancel()
      return false
    }
    upstream = subscription._held
    return true
  }

  /// The same for a station whose downstream has its subscription already, and may cancel meanwhile: upstream is kept
  /// before it counts as attached.
  @usableFromInline
  final func arriveLate(_ subscription: any Subscription) -> Bool {
    guard turnstile.enterEarly(), upstream == nil else {
      subscription.cancel()
      return false
    }
    upstream = subscription._held
    guard turnstile.attach() else {
      subscription.cancel()
      return false
    }
    return true
  }

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {
    if turnstile.enter() { upstream?.request(demand) }
    leave()
  }

  @usableFromInline
  package func cancel() {
    _ = turnstile.enter()
    if turnstile.closeForCancelling() { upstream?.cancel() }
    leave()
  }

  @usableFromInline
  final func cancelUpstream() { upstream?.cancel() }

  @inlinable @inline(__always)
  final func leave() {
    if turnstile.leave() { putAway() }
  }

  @usableFromInline @inline(never)
  final func putAway() {
    upstream = nil
    let place = place
    self.place = nil
    if let place { close(place) }
  }

  /// How `print()` and the debugger show this.
  @usableFromInline var name: String { "" }

  /// What a mirror shows of what lies at `place`.
  func children(at place: UnsafeMutableRawPointer) -> [Mirror.Child] { [] }
}

extension Station: ReflectedByName {
  @usableFromInline package final var description: String { name }

  @usableFromInline package final var reflectedChildren: [Mirror.Child] {
    let isOpen = turnstile.enterEarly()
    defer { leave() }
    guard isOpen, let place else { return [] }
    return children(at: place)
  }
}

/// A station that answers once: when it knows the answer, and has been asked.
@usableFromInline
package class AnswerStation: Station {
  @usableFromInline final let phase = Atomic<UInt8>(0)

  @inlinable final var asked: UInt8 { 1 }
  @inlinable final var known: UInt8 { 2 }
  @inlinable final var told: UInt8 { 4 }

  /// Upstream may be gone, and the answer still wait to be asked for.
  @usableFromInline
  package final override func cancel() {
    _ = turnstile.enter()
    if turnstile.closeForCancelling() { upstream?.cancel() } else { _ = turnstile.close() }
    leave()
  }

  /// Sets bits, and answers what was set before.
  @inlinable
  final func set(_ bits: UInt8) -> UInt8 {
    phase.bitwiseOr(bits, ordering: .acquiringAndReleasing).oldValue
  }
}
