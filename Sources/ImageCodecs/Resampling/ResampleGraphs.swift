import CZimg
import Synchronization

/// zimg's graphs that are not at work: to make one takes longer than to make a thumbnail with it.
///
/// Places that are emptied and filled in one step each, rather than a lock: nobody waits, and the thread sanitizer sees
/// who gives what to whom. While somebody looks at what was in a place, others find it empty, and make a graph.
final class ResampleGraphs: Sendable {
  static let shared = ResampleGraphs(capacity: 8)

  struct Key: Hashable {
    var plan: ResizePlan
    var pixelFormat: Image.PixelFormat
  }

  /// A graph of nobody's. Whoever takes it out of its place owns it.
  private final class Idle {
    let key: Key
    let graph: OpaquePointer

    init(_ graph: OpaquePointer, for key: Key) { (self.graph, self.key) = (graph, key) }
  }

  private final class Place: Sendable, CustomReflectable {
    private let address = Atomic<UInt>(0)

    /// Swift's own mirror cannot copy an atomic, and traps.
    var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }

    func swap(_ idle: Idle?) -> Idle? {
      let given = idle.map { UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) } ?? 0
      let found = address.exchange(given, ordering: .acquiringAndReleasing)
      return UnsafeRawPointer(bitPattern: found).map { Unmanaged<Idle>.fromOpaque($0).takeRetainedValue() }
    }
  }

  private let places: [Place]

  init(capacity: Int) { places = (0..<capacity).map { _ in Place() } }

  deinit {
    for place in places {
      if let idle = place.swap(nil) { zimg_filter_graph_free(idle.graph) }
    }
  }

  /// The graph is the caller's until it is given back.
  func take(_ key: Key) -> OpaquePointer? {
    for place in places {
      guard let idle = place.swap(nil) else { continue }
      if idle.key == key { return idle.graph }
      if let other = place.swap(idle) { keep(other) }
    }
    return nil
  }

  func give(_ graph: OpaquePointer, for key: Key) { keep(Idle(graph, for: key)) }

  /// In the first place, and what was there in the next one: the one that has been here longest makes room.
  private func keep(_ idle: Idle) {
    var idle = idle
    for place in places {
      guard let other = place.swap(idle) else { return }
      idle = other
    }
    zimg_filter_graph_free(idle.graph)
  }
}
