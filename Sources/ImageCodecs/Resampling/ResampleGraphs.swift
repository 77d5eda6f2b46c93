import CZimg
import Synchronization

/// zimg's graphs that are not at work: to make one takes longer than to make a thumbnail with it.
final class ResampleGraphs: Sendable {
  static let shared = ResampleGraphs(capacity: 8)

  struct Key: Hashable {
    var plan: ResizePlan
    var pixelFormat: Image.PixelFormat
  }

  private struct Entry: Sendable {
    var key: Key
    // A pointer as a number: it belongs to whoever took the entry out.
    var graph: UInt
  }

  private let capacity: Int
  private let entries = Mutex<[Entry]>([])

  init(capacity: Int) { self.capacity = capacity }

  /// The graph is the caller's until it is given back.
  func take(_ key: Key) -> OpaquePointer? {
    let found = entries.withLock { entries in
      entries.lastIndex { $0.key == key }.map { entries.remove(at: $0).graph }
    }
    return found.flatMap { OpaquePointer(bitPattern: $0) }
  }

  /// The one that has been here longest makes room.
  func give(_ graph: OpaquePointer, for key: Key) {
    let entry = Entry(key: key, graph: UInt(bitPattern: graph))
    let oldest = entries.withLock { entries -> UInt? in
      entries.append(entry)
      return entries.count > capacity ? entries.removeFirst().graph : nil
    }
    if let oldest { zimg_filter_graph_free(OpaquePointer(bitPattern: oldest)) }
  }
}
