public import Foundation
public import Streams

extension NotificationCenter {
  /// A publisher of the notifications called `name` that `object`, or anybody, posts here.
  ///
  /// Each subscriber observes from its subscription until it cancels. Notifications are delivered where they are
  /// posted, one at a time; one that was not asked for is dropped.
  public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> Publisher {
    Publisher(center: self, name: name, object: object)
  }

  /// The publisher of ``publisher(for:object:)``.
  public struct Publisher: Streams.Publisher {
    public typealias Output = Notification
    public typealias Failure = Never

    /// Where notifications are posted.
    public let center: NotificationCenter
    /// Which notifications are sent on.
    public let name: Notification.Name
    /// Who has to post them; `nil` for anybody.
    public let object: AnyObject?

    /// A publisher of the notifications of this name, from `object` or from anybody.
    public init(center: NotificationCenter, name: Notification.Name, object: AnyObject? = nil) {
      self.center = center
      self.name = name
      self.object = object
    }

    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Notification, Downstream.Failure == Never {
      subscriber.receive(subscription: Observation(self, Outlet(to: subscriber)))
    }
  }
}

extension NotificationCenter.Publisher: Equatable {
  public static func == (left: Self, right: Self) -> Bool {
    left.center === right.center && left.name == right.name && left.object === right.object
  }
}

/// One subscriber's observation of a notification centre.
private final class Observation: Subscription, CustomStringConvertible {
  private let center: NotificationCenter
  private let outlet: Outlet<Notification, Never>
  private let token: Guarded<(any NSObjectProtocol)?>

  init(_ publisher: NotificationCenter.Publisher, _ outlet: Outlet<Notification, Never>) {
    center = publisher.center
    self.outlet = outlet
    token = Guarded(
      center.addObserver(forName: publisher.name, object: publisher.object, queue: nil) { outlet.offer($0) })
  }

  deinit { stop() }

  func request(_ demand: Subscribers.Demand) {
    if demand > .none { _ = outlet.request(demand) }
  }

  func cancel() {
    if outlet.close() { stop() }
  }

  private func stop() {
    if let token = token.withLock({ $0.take() }) { center.removeObserver(token) }
  }

  var description: String { "NotificationCenter Observer" }
}
