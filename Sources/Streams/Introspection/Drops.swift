public import CThreads
internal import Synchronization

/// Why a value did not arrive.
@usableFromInline
package enum DropReason: String, Sendable {
  case noDemand = "no demand"
  case noSubscriber = "no subscriber"
  case unrequested = "more than requested"
  case full = "the buffer is full"
  case superseded = "a newer value took its place"
  case old = "older than what is replayed"
  case occupied = "other publishers are being merged"
}

/// A value that did not arrive, and what dropped it.
package struct Drop {
  package let value: Any
  package let reason: DropReason
  /// The subscription that the value would have passed, the source that has no subscriber, or the buffer of an iteration.
  package let dropper: AnyObject

  /// The name of the dropper.
  package var name: String { String(describing: dropper) }
}

@usableFromInline
package enum Drops {
  /// Reports that `dropper` drops `value`. Costs the check of a flag if nothing reports drops.
  @inlinable @inline(__always)
  package static func note<Value>(
    _ value: @autoclosure () -> Value, by dropper: @autoclosure () -> AnyObject, because reason: DropReason
  ) {
    if cthreads_reports_drops() != 0 { report(value(), by: dropper(), because: reason) }
  }

  /// Apart, and not specialised, so that the way of a value contains as little of it as possible.
  @usableFromInline @inline(never)
  static func report<Value>(_ value: Value, by dropper: AnyObject, because reason: DropReason) {
    Introspections.didDrop(value, by: dropper, because: reason)
    if reason == .noSubscriber { return }  // nothing is below
    DropWatch.notify(Drop(value: value, reason: reason, dropper: dropper))
  }
}

/// Reports what is dropped above one place of a chain, until it is released.
package final class DropWatch {
  private struct Entry {
    weak var watch: DropWatch?
  }

  private static let watches = Guarded<[Int: Entry]>([:])
  private static let count = Atomic(0)

  /// In the order in which they were made.
  private let number = DropWatch.count.wrappingAdd(1, ordering: .relaxed).newValue
  private let top: Guarded<WeakSubscription>
  private let report: (Drop) -> Void

  /// - Parameter subscription: The subscription that the place has received.
  package init(above subscription: any Subscription, _ report: @escaping (Drop) -> Void) {
    top = Guarded(WeakSubscription(subscription.unwrapped._held))
    self.report = report
    let entry = Entry(watch: self)
    Self.watches.withLock {
      $0[number] = entry
      Introspections.reportsDrops(toWatches: true)
    }
  }

  deinit {
    Self.watches.withLock {
      $0[number] = nil
      if $0.isEmpty { Introspections.reportsDrops(toWatches: false) }
    }
  }

  /// The subscriptions of all places, for tools that attach to what already runs.
  package static var subscriptions: [any Subscription & AnyObject] {
    all.compactMap { $0.top.withLock { $0.object } }
  }

  /// The oldest first.
  private static var all: [DropWatch] {
    watches.withLock { watches in watches.sorted { $0.key < $1.key }.compactMap(\.value.watch) }
  }

  fileprivate static func notify(_ drop: Drop) {
    for watch in all where watch.isBelow(drop.dropper) { watch.report(drop) }
  }

  private func isBelow(_ dropper: AnyObject) -> Bool {
    guard let top = top.withLock({ $0.object }) else { return false }
    return top.isOrFollows(dropper)
  }
}

extension DropWatch: Reflected {}

/// Holds a watch for the rule of a tap, which is a value.
package final class DropWatchHolder {
  private let watch = Guarded(DropWatch?.none)

  package init() {}

  package func begin(above subscription: any Subscription, _ report: @escaping (Drop) -> Void) {
    let new = DropWatch(above: subscription, report)
    let old = watch.withLock { watch in
      defer { watch = new }
      return watch
    }
    withExtendedLifetime(old) {}  // it has a lock of its own
  }
}

/// A subscription that is not kept alive.
package struct WeakSubscription {
  package private(set) weak var object: (any Subscription & AnyObject)?

  package init(_ object: (any Subscription & AnyObject)?) { self.object = object }
}
