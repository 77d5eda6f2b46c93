import CZimg

/// A pool of idle zimg graphs. Creating one takes longer than making a thumbnail with it.
///
/// It uses slots that are exchanged atomically and no lock, so that no thread waits and the thread sanitizer sees each
/// transfer. While one thread inspects a slot, others find it empty and create a graph.
final class ResampleGraphs: Sendable {
  static let shared = ResampleGraphs(capacity: 8)

  struct Key: Hashable {
    var plan: ResizePlan
    var pixelFormat: Image.PixelFormat
  }

  /// An idle graph. The thread that takes it out of its slot owns it.
  private final class Idle {
    let key: Key
    let graph: OpaquePointer

    init(_ graph: OpaquePointer, for key: Key) { (self.graph, self.key) = (graph, key) }
  }

  private let places: [Place<Idle>]

  init(capacity: Int) { places = (0..<capacity).map { _ in Place() } }

  deinit {
    for place in places {
      if let idle = place.swap(nil) { zimg_filter_graph_free(idle.graph) }
    }
  }

  /// Takes a graph. The caller owns it until it is put back.
  func take(_ key: Key) -> OpaquePointer? {
    for place in places {
      guard let idle = place.swap(nil) else { continue }
      if idle.key == key { return idle.graph }
      if let other = place.swap(idle) { keep(other) }
    }
    return nil
  }

  func give(_ graph: OpaquePointer, for key: Key) { keep(Idle(graph, for: key)) }

  /// Puts it into the first slot and moves the others on. The oldest one is destroyed.
  private func keep(_ idle: Idle) {
    var idle = idle
    for place in places {
      guard let other = place.swap(idle) else { return }
      idle = other
    }
    zimg_filter_graph_free(idle.graph)
  }
}
