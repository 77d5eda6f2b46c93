/// A value that did not arrive.
public struct DroppedValue: Sendable, CustomStringConvertible {
  /// The description of the value.
  public let value: String
  /// The name of the operator or subject that dropped the value.
  public let publisher: String
  /// The reason, such as `no demand` or `the buffer is full`.
  public let reason: String

  /// A text such as `drop second by PassthroughSubject: no demand`.
  public var description: String { "drop \(value) by \(publisher): \(reason)" }
}

extension Publisher {
  /// Calls a closure for each value that is dropped above this place.
  ///
  /// ```swift
  /// let cancellable = ticks.buffer(size: 100, prefetch: .byRequest, whenFull: .dropOldest)
  ///   .handleDrops { log.warning("\($0)") }
  ///   .sink { store($0) }
  /// ```
  ///
  /// All signals pass unchanged. The closure is called on the thread that drops the value, possibly on several at once,
  /// and while the source is sending. It must not send to that source or cancel. The search ends at a subject, and at a
  /// publisher that is not of this library.
  ///
  /// - Complexity: A value that is dropped anywhere costs time in proportion to the number of subscriptions above this place,
  ///   unless nobody subscribes where it is sent.
  @_disfavoredOverload
  public func handleDrops(
    _ receiveDrop: @escaping (DroppedValue) -> Void
  ) -> MorePublishers.HandleDrops<Self> {
    MorePublishers.HandleDrops(upstream: self, receiveDrop: receiveDrop)
  }
}

extension MorePublishers {
  /// The publisher returned by ``Streams/Publisher/handleDrops(_:)``.
  public struct HandleDrops<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The observed publisher.
    public let upstream: Upstream
    let receiveDrop: (DroppedValue) -> Void

    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.subscribe(TapSubscription(DropTap<Output, Failure>(receiveDrop), to: subscriber))
    }
  }
}

/// Watches the chain above from the arrival of the subscription to the end.
private struct DropTap<Input, Failure: Error>: Tap {
  static var name: String { "HandleDrops" }

  private let receiveDrop: (DroppedValue) -> Void
  private let watch = DropWatchHolder()

  init(_ receiveDrop: @escaping (DroppedValue) -> Void) { self.receiveDrop = receiveDrop }

  func saw(subscription: any Subscription) {
    watch.begin(above: subscription) { [receiveDrop] in receiveDrop(DroppedValue($0)) }
  }

  func saw(value _: Input) {}
  func saw(answer _: Subscribers.Demand) {}
  func saw(completion _: Subscribers.Completion<Failure>) {}
  func saw(request _: Subscribers.Demand) {}
  func sawCancel() {}
}

extension DroppedValue {
  init(_ drop: Drop) {
    self.init(value: String(describing: drop.value), publisher: drop.name, reason: drop.reason.rawValue)
  }
}
