internal import Foundation
internal import Streams

/// Lets so many pieces of work of one host go on at a time, so that one that is slow does not take all places.
package final class HostQueues: Sendable {
  private struct Entry {
    let queue: WorkQueue
    var users = 0
  }

  /// `nil` for no limit.
  private let width: Int?
  /// Of hosts for which somebody works or waits.
  private let entries = Guarded<[String: Entry]>([:])

  package init(width: Int?) { self.width = width }

  package var count: Int { entries.withLock { $0.count } }

  /// Keeps a place of the host while `work` goes on. Work without a host needs none.
  package func hold<Value>(
    _ host: String?, _ urgency: Urgency, _ work: () async throws(ImagePipeline.Error) -> Value
  ) async throws(ImagePipeline.Error) -> Value {
    guard let host, let width else { return try await work() }
    let queue = entries.withLock { entries in
      var entry = entries[host] ?? Entry(queue: WorkQueue("host", width: width))
      entry.users += 1
      entries[host] = entry
      return entry.queue
    }
    defer {
      entries.withLock { entries in
        entries[host]?.users -= 1
        if entries[host]?.users == 0 { entries[host] = nil }
      }
    }
    return try await queue.hold(urgency, work)
  }
}

extension ImageRequest {
  /// Where its bytes are loaded from, with the port; `nil` if they do not come from another machine.
  var host: String? {
    guard let url, let host = url.host else { return nil }
    return "\(host.lowercased()):\(url.port ?? 0)"
  }
}
