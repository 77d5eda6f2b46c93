internal import Streams

/// Tracks objects, and reports which of them are still alive.
///
/// ```swift
/// let leaked = Lifetimes.leaks { lifetimes in
///   let probe = lifetimes.probe("the closure of map")
///   subject.map { [probe] in $0 + probe.name.count }.record().cancel()
/// }
/// #expect(leaked.isEmpty)
/// ```
public final class Lifetimes: Sendable {
  private struct Watched {
    let name: String
    weak var object: AnyObject?
  }

  private let watched = Guarded<[Watched]>([])

  /// Creates one that tracks nothing yet.
  public init() {}

  /// Runs `body`, and returns the names of tracked objects that outlived it.
  public static func leaks(_ body: (Lifetimes) throws -> Void) rethrows -> [String] {
    let lifetimes = Lifetimes()
    try body(lifetimes)
    return lifetimes.living
  }

  /// Tracks `object` without retaining it. ``living`` has its `name`, or else its type.
  @discardableResult
  public func track<Object: AnyObject>(_ object: Object, as name: String? = nil) -> Object {
    let name = name ?? "\(type(of: object))"
    watched.withLock { $0.append(Watched(name: name, object: object)) }
    return object
  }

  /// Creates and tracks an object that a closure can capture, or a stream can send.
  public func probe(_ name: String) -> Probe { track(Probe(name: name), as: name) }

  /// The names of the tracked objects that are alive, in the order of tracking.
  public var living: [String] {
    let alive = watched.withLock { $0.map { ($0.name, $0.object) } }
    return alive.compactMap { name, object in object == nil ? nil : name }
  }
}

/// An object without behaviour.
public final class Probe: Sendable {
  /// Its name in ``Lifetimes/living``.
  public let name: String

  init(name: String) { self.name = name }
}
