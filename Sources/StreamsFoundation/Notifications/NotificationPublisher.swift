public import Foundation
public import Streams

extension NotificationCenter {
  /// A publisher of the notifications called `name` that `object`, or anybody, posts here.
  ///
  /// Each subscriber observes from its subscription until it cancels, and keeps the centre and `object` until then.
  /// Notifications are delivered where they are
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
private final class Observation: Subscription, ReflectedByName {
  /// An observer, and where it is registered. Its token holds the object that is observed.
  private struct Registration {
    let publisher: NotificationCenter.Publisher
    let token: any NSObjectProtocol
  }

  private let outlet: Outlet<Notification, Never>
  /// `nil` once it is cancelled: a subscription that is kept keeps neither the centre nor the object.
  private let registration: Guarded<Registration?>

  init(_ publisher: NotificationCenter.Publisher, _ outlet: Outlet<Notification, Never>) {
    self.outlet = outlet
    let token = publisher.center.addObserver(forName: publisher.name, object: publisher.object, queue: nil) {
      outlet.offer($0)
    }
    registration = Guarded(Registration(publisher: publisher, token: token))
  }

  deinit { stop() }

  func request(_ demand: Subscribers.Demand) {
    if demand > .none { _ = outlet.request(demand) }
  }

  func cancel() {
    if outlet.close() { stop() }
  }

  private func stop() {
    guard let registration = registration.withLock({ $0.take() }) else { return }
    registration.publisher.center.removeObserver(registration.token)
  }

  var description: String { "NotificationCenter Observer" }

  var reflectedChildren: [Mirror.Child] {
    let publisher = registration.withLock { $0?.publisher }
    return [
      ("center", publisher?.center as Any), ("name", publisher?.name as Any),
      ("object", publisher?.object as Any),
      ("demand", outlet.tally.outstanding),
    ]
  }
}
