extension AnyPublisher {
  /// Creates a publisher that calls `factory` for each subscriber, and sends what `factory` sends.
  ///
  /// ```swift
  /// let answers = AnyPublisher<Int, Never>.create { subscriber in
  ///   subscriber.send(41)
  ///   subscriber.send(42)
  ///   subscriber.send(completion: .finished)
  ///   return AnyCancellable { print("ended or cancelled") }
  /// }
  /// ```
  ///
  /// You can keep `subscriber` and use it later, from any thread. The cancellable that `factory` returns is cancelled
  /// once, at the end or with the subscription. Values that are not requested yet are kept. ``MorePublishers/Create``
  /// can limit their number.
  @_disfavoredOverload
  @inlinable
  public static func create(
    _ factory: @escaping MorePublishers.Create<Output, Failure>.SubscriberHandler
  ) -> AnyPublisher<Output, Failure> {
    AnyPublisher(factory)
  }

  /// Creates a publisher that calls `factory` for each subscriber. The same as ``create(_:)``.
  @_disfavoredOverload
  @inlinable
  public init(_ factory: @escaping MorePublishers.Create<Output, Failure>.SubscriberHandler) {
    self.init(MorePublishers.Create(factory: factory))
  }
}

extension AnyPublisher where Output: Sendable, Failure == Never {
  /// Creates a publisher that sends the values with which a callback is called.
  ///
  /// - Parameter register: Receives the callback at each subscription. You can call the callback from any thread. The
  ///   cancellable that `register` returns is cancelled with the subscription.
  @_disfavoredOverload
  public static func fromCallback(
    _ register: @escaping (@escaping @Sendable (Output) -> Void) -> any Cancellable
  ) -> AnyPublisher<Output, Never> {
    create { subscriber in register { subscriber.send($0) } }
  }
}

extension MorePublishers {
  /// A publisher that calls a closure for each subscription, and sends what the closure sends.
  ///
  /// ```swift
  /// let numbers = AnyPublisher<Int, Never>.create { subscriber in
  ///   subscriber.send(1)
  ///   subscriber.send(completion: .finished)
  ///   return AnyCancellable {}
  /// }
  /// ```
  ///
  /// The closure can send from any thread, at any time. Values that are not requested yet are kept, up to `bufferSize`, and
  /// the completion follows them. Values sent after the end or a cancellation are ignored. The cancellable that the closure
  /// returns is cancelled once, when everything is delivered or the subscription is cancelled.
  ///
  /// - Complexity: Keeps up to `bufferSize` values that are not requested yet.
  public struct Create<Output, Failure: Error>: Publisher {
    /// A closure that starts sending, and returns a cancellable that stops it.
    public typealias SubscriberHandler = (Subscriber) -> any Cancellable

    @usableFromInline let bufferSize: Int
    @usableFromInline let whenFull: Publishers.BufferingStrategy<Failure>
    @usableFromInline let factory: SubscriberHandler

    /// Creates a publisher that calls `factory` for each subscription.
    ///
    /// - Parameters:
    ///   - bufferSize: The largest number of values to keep. Traps if negative.
    ///   - whenFull: The treatment of a value beyond that.
    ///   - factory: Called at each subscription, on the subscribing thread, after the subscriber has received its
    ///     subscription, unless it has cancelled.
    @inlinable
    public init(
      bufferSize: Int = .max, whenFull: Publishers.BufferingStrategy<Failure> = .dropOldest,
      factory: @escaping SubscriberHandler
    ) {
      if bufferSize < 0 { Violation.negativeCount("the size of a buffer", bufferSize) }
      self.bufferSize = bufferSize
      self.whenFull = whenFull
      self.factory = factory
    }

    @inlinable
    public func receive<Downstream: Streams.Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let (size, whenFull) = (bufferSize, whenFull)
      let core = OperatorCore("Create", to: subscriber)
      core.describe = { "Create.Subscription<\(Output.self), \(Failure.self)>" }  // as in CombineExt
      subscriber.receive(subscription: core)
      if core.isOver { return }  // law C14
      let handle = Subscriber(
        take: { value in core.perform { core.emit(value, keeping: size, whenFull: whenFull) } },
        end: { completion in core.perform { core.finish(completion, afterAll: true) } })
      let cancellable = factory(handle)
      core.onEnd { cancellable.cancel() }
    }

    /// Sends to one subscriber. Thread-safe.
    public final class Subscriber {
      @usableFromInline let take: (Output) -> Void
      @usableFromInline let end: (Subscribers.Completion<Failure>) -> Void

      @inlinable
      init(take: @escaping (Output) -> Void, end: @escaping (Subscribers.Completion<Failure>) -> Void) {
        self.take = take
        self.end = end
      }

      /// Sends `value`.
      @inlinable
      public func send(_ value: Output) { take(value) }

      /// Ends the stream. The cancellable of the closure is cancelled when everything is delivered.
      public func send(completion: Subscribers.Completion<Failure>) { end(completion) }
    }
  }
}

// The core takes one signal at a time.
extension MorePublishers.Create.Subscriber: @unchecked Sendable where Output: Sendable {}

extension YieldingNames {
  /// A publisher that calls a closure for each subscription, and sends what the closure sends.
  public typealias Create<Output, Failure: Error> = MorePublishers.Create<Output, Failure>
}
