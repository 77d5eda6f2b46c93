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

  /// Runs `work` with a place of its host. Without a host or a limit, it needs no place.
  package func hold<Value>(
    _ host: String?, _ priority: DynamicPriority, _ work: () async throws(ImagePipeline.Error) -> Value
  ) async throws(ImagePipeline.Error) -> Value {
    guard let host, let width else { return try await work() }
    let user = User(host, width, of: self)
    defer { withExtendedLifetime(user) {} }
    return try await user.queue.hold(priority, work)
  }

  /// A place of a host, until it is left or released.
  package struct Place: Sendable {
    private let place: WorkQueue.Place
    private let user: User

    fileprivate init(_ place: WorkQueue.Place, _ user: User) { (self.place, self.user) = (place, user) }

    package func leave() { place.leave() }
  }

  /// Delivers a place of its host once there is one; at once `nil` without a host or a limit.
  package func place(_ host: String?, _ priority: DynamicPriority) -> FlowStep<Place?> {
    guard let host, let width else { return .just(nil) }
    return FlowStep { [self] run, receive in
      let user = User(host, width, of: self)
      user.queue.place(priority).begin(run) { outcome in receive(outcome.map { Place($0, user) }) }
    }
  }

  /// Keeps the queue of a host while it has running or waiting work.
  fileprivate final class User: Sendable {
    let queue: WorkQueue
    private let host: String
    private let queues: HostQueues

    init(_ host: String, _ width: Int, of queues: HostQueues) {
      (self.host, self.queues) = (host, queues)
      queue = queues.entries.withLock { entries in
        var entry = entries[host] ?? Entry(queue: WorkQueue("host", width: width))
        entry.users += 1
        entries[host] = entry
        return entry.queue
      }
    }

    deinit {
      queues.entries.withLock { entries in
        entries[host]?.users -= 1
        if entries[host]?.users == 0 { entries[host] = nil }
      }
    }
  }
}

extension ImageRequest {
  /// The host and port that the bytes are loaded from; `nil` without a host in the URL.
  var host: String? {
    guard let url, let host = url.host else { return nil }
    return "\(host.lowercased()):\(url.port ?? 0)"
  }
}
