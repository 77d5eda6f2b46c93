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

  /// What is known of a dropper, so that its next drop does not ask the watches of all other chains.
  private struct Route {
    weak var dropper: AnyObject?
    /// The watches below it, the oldest first, of those up to `newest`.
    var below: [Entry] = []
    var newest = 0
    var drops = 0

    /// Counts a drop. All watches are asked again after 16 times as many, as the subscription may not have arrived before.
    mutating func count() {
      drops += 1
      if drops.nonzeroBitCount == 1, drops.trailingZeroBitCount % 4 == 0 { (below, newest) = ([], 0) }
    }
  }

  private struct State {
    /// The number of the newest watch.
    var newest = 0
    var watches: [Int: Entry] = [:]
    var routes: [ObjectIdentifier: Route] = [:]
    var mostRoutes = 64

    /// The oldest first.
    func watches(after number: Int) -> [Entry] {
      if newest - number <= watches.count { return (number..<newest).compactMap { watches[$0 + 1] } }
      return watches.filter { $0.key > number }.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Counts a drop, and returns what is known of the dropper, and the watches that were not asked.
    mutating func route(of dropper: AnyObject) -> (Route, unasked: [Entry], newest: Int) {
      let id = ObjectIdentifier(dropper)
      // What is there belongs to this dropper, or to one that is gone, whose address it has.
      var route = routes[id].flatMap { $0.dropper == nil ? nil : $0 } ?? Route(dropper: dropper)
      route.count()
      let unasked = watches(after: route.newest)
      if unasked.isEmpty { route.newest = newest }
      routes[id] = route
      return (route, unasked, newest)
    }
  }

  private static let state = Guarded(State())

  private var number = 0
  private let top: Guarded<WeakSubscription>
  private let report: (Drop) -> Void

  /// - Parameter subscription: The subscription that the place has received.
  package init(above subscription: any Subscription, _ report: @escaping (Drop) -> Void) {
    top = Guarded(WeakSubscription(subscription.unwrapped._held))
    self.report = report
    let entry = Entry(watch: self)
    number = Self.state.withLock { state in
      state.newest += 1
      state.watches[state.newest] = entry
      Introspections.reportsDrops(toWatches: true)
      return state.newest
    }
  }

  deinit {
    Self.state.withLock { state in
      state.watches[number] = nil
      if state.watches.isEmpty { Introspections.reportsDrops(toWatches: false) }
    }
  }

  /// The subscriptions of all places, for tools that attach to what already runs.
  package static var subscriptions: [any Subscription & AnyObject] {
    state.withLock { $0.watches(after: 0) }.compactMap { $0.watch?.top.withLock { $0.object } }
  }

  fileprivate static func notify(_ drop: Drop) {
    var (route, unasked, newest) = state.withLock { $0.route(of: drop.dropper) }
    if !unasked.isEmpty {
      route.below += unasked.filter { $0.watch?.isBelow(drop.dropper) == true }
      route.newest = newest
      store(route, of: drop.dropper)
    }
    for entry in route.below { entry.watch?.report(drop) }
  }

  private static func store(_ route: Route, of dropper: AnyObject) {
    let all = state.withLock { state -> [ObjectIdentifier: Route]? in
      state.routes[ObjectIdentifier(dropper)] = route
      if state.routes.count < state.mostRoutes { return nil }
      defer { state.routes = [:] }
      return state.routes
    }
    guard let all else { return }
    // Without the lock: this may release a dropper, and with it a watch.
    let living = all.filter { $0.value.dropper != nil }
    state.withLock { state in
      state.routes.merge(living) { newer, _ in newer }
      state.mostRoutes = max(64, 2 * living.count)
    }
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
