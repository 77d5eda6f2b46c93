public import Foundation
public import Streams

extension NotificationCenter {
  /// Returns a publisher of the notifications called `name` that `object` posts here, or any object.
  ///
  /// Each subscriber observes from its subscription until it cancels, and retains the centre and `object` until
  /// then. Notifications are delivered where they are posted, or by another thread that is delivering, one at a time. One
  /// without demand is dropped.
  public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> Publisher {
    Publisher(center: self, name: name, object: object)
  }

  /// The publisher of ``publisher(for:object:)``.
  public struct Publisher: Streams.Publisher {
    public typealias Output = Notification
    public typealias Failure = Never

    /// The center to which notifications are posted.
    public let center: NotificationCenter
    /// The name of the notifications.
    public let name: Notification.Name
    /// The object that posts them; `nil` for any.
    public let object: AnyObject?

    /// A publisher of the notifications of this name, from `object`, or from any object.
    public init(center: NotificationCenter, name: Notification.Name, object: AnyObject? = nil) {
      self.center = center
      self.name = name
      self.object = object
    }

    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Notification, Downstream.Failure == Never {
      let core = OperatorCore("NotificationCenter Observer", to: subscriber)
      let offer = { [weak core] (notification: Notification) -> Void in
        core?.performValue { core?.offer(notification) }
      }
      let transfer = Transfer(offer)  // the core takes one notification at a time, from any thread
      let observation = Observation(self) { transfer.value($0) }
      core.reflect = { core in
        let publisher = observation.publisher
        return [
          ("center", publisher?.center as Any), ("name", publisher?.name as Any),
          ("object", publisher?.object as Any), ("demand", core.outstandingDemand),
        ]
      }
      core.onEnd { observation.remove() }
      core.open(to: subscriber)
    }
  }
}

extension NotificationCenter.Publisher: Equatable {
  public static func == (left: Self, right: Self) -> Bool {
    left.center === right.center && left.name == right.name && left.object === right.object
  }
}

/// An observer of a notification centre, which is removed with this.
private final class Observation {
  /// The token holds the object that is observed. `nil` once it is removed.
  private let registration: Guarded<(publisher: NotificationCenter.Publisher, token: any NSObjectProtocol)?>

  init(_ publisher: NotificationCenter.Publisher, _ receive: @escaping @Sendable (Notification) -> Void) {
    let token = publisher.center.addObserver(
      forName: publisher.name, object: publisher.object, queue: nil, using: receive)
    registration = Guarded((publisher, token))
  }

  deinit { remove() }

  var publisher: NotificationCenter.Publisher? { registration.withLock { $0?.publisher } }

  func remove() {
    guard let (publisher, token) = registration.withLock({ $0.take() }) else { return }
    publisher.center.removeObserver(token)
  }
}
