internal import Foundation
internal import Streams

/// Limits how much work runs for each host, so that a slow host cannot occupy all places.
package final class HostQueues: Sendable {
  private struct Entry {
    let queue: WorkQueue
    var users = 0
  }

  /// `nil` for no limit.
  private let width: Int?
  /// The hosts with running or waiting work.
  private let entries = Guarded<[String: Entry]>([:])

  package init(width: Int?) { self.width = width }

  package var count: Int { entries.withLock { $0.count } }

  /// Runs `work` with a place of its host. Work without a host needs no place.
  package func hold<Value>(
    _ host: String?, _ priority: DynamicPriority, _ work: () async throws(ImagePipeline.Error) -> Value
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
    return try await queue.hold(priority, work)
  }
}

extension ImageRequest {
  /// The host and port that the bytes are loaded from; `nil` if they do not come from another machine.
  var host: String? {
    guard let url, let host = url.host else { return nil }
    return "\(host.lowercased()):\(url.port ?? 0)"
  }
}
