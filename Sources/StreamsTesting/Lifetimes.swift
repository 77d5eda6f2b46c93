internal import Streams

/// Watches objects, and tells which of them still live.
///
/// ```swift
/// let leaked = Lifetimes.leaks { lifetimes in
///   let probe = lifetimes.probe("the closure of map")
///   _ = subject.map { [probe] in $0 + probe.name.count }.record()
/// }
/// #expect(leaked.isEmpty)
/// ```
public final class Lifetimes: Sendable {
  private struct Watched {
    let name: String
    weak var object: AnyObject?
  }

  private let watched = Guarded<[Watched]>([])

  /// One that watches nothing yet.
  public init() {}

  /// Runs `body`, and tells the names of what it tracked and what outlived it.
  public static func leaks(_ body: (Lifetimes) throws -> Void) rethrows -> [String] {
    let lifetimes = Lifetimes()
    try body(lifetimes)
    return lifetimes.living
  }

  /// Watches `object` without keeping it alive. ``living`` calls it by `name`, or else by its type.
  @discardableResult
  public func track<Object: AnyObject>(_ object: Object, as name: String? = nil) -> Object {
    let name = name ?? "\(type(of: object))"
    watched.withLock { $0.append(Watched(name: name, object: object)) }
    return object
  }

  /// Makes an object to be captured by a closure, or sent as a value, and watches it.
  public func probe(_ name: String) -> Probe { track(Probe(name: name), as: name) }

  /// The names of the tracked objects that live, in the order in which they were tracked.
  public var living: [String] {
    let alive = watched.withLock { $0.map { ($0.name, $0.object) } }
    return alive.compactMap { name, object in object == nil ? nil : name }
  }
}

/// An object that does nothing but live.
public final class Probe: Sendable {
  /// How ``Lifetimes/living`` calls it.
  public let name: String

  init(name: String) { self.name = name }
}
