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

  /// A place of a host and one in a queue, until they are left or released.
  package struct Places: Sendable {
    var host: Place?
    var place: WorkQueue.Place?

    func leave() {
      place?.leave()
      host?.leave()
    }
  }

  /// Delivers a place of its host, and then one in a queue.
  func places(_ host: String?, in queue: WorkQueue, _ priority: DynamicPriority) -> FlowStep<Places> {
    place(host, priority).flatMap { host in queue.place(priority).map { Places(host: host, place: $0) } }
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
