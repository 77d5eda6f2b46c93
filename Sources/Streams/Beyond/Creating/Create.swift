extension AnyPublisher {
  /// Creates a publisher that calls `factory` for each subscriber, and sends what it sends.
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
  /// `subscriber` may be kept and used later, from any thread. What `factory` returns is cancelled once, at the end or when the
  /// subscription is cancelled. Values that nobody has requested yet are kept; see ``MorePublishers/Create`` for a limit.
  @_disfavoredOverload
  @inlinable
  public static func create(
    _ factory: @escaping MorePublishers.Create<Output, Failure>.SubscriberHandler
  ) -> AnyPublisher<Output, Failure> {
    AnyPublisher(factory)
  }

  /// The same as ``create(_:)``.
  @_disfavoredOverload
  @inlinable
  public init(_ factory: @escaping MorePublishers.Create<Output, Failure>.SubscriberHandler) {
    self.init(MorePublishers.Create(factory: factory))
  }
}

extension AnyPublisher where Output: Sendable, Failure == Never {
  /// A publisher of what a callback is called with.
  ///
  /// - Parameter register: Hands over the callback, which may be called from any thread, when somebody subscribes. What it
  ///   returns is cancelled when the subscription is.
  @_disfavoredOverload
  public static func fromCallback(
    _ register: @escaping (@escaping @Sendable (Output) -> Void) -> any Cancellable
  ) -> AnyPublisher<Output, Never> {
    create { subscriber in register { subscriber.send($0) } }
  }
}

extension MorePublishers {
  /// A publisher of what a closure sends.
  ///
  /// ```swift
  /// let numbers = AnyPublisher<Int, Never>.create { subscriber in
  ///   subscriber.send(1)
  ///   subscriber.send(completion: .finished)
  ///   return AnyCancellable {}
  /// }
  /// ```
  ///
  /// The closure is called for each subscription, and may send from any thread, for as long as it likes. What is sent
  /// before it is asked for is kept, the end comes after it, and what is sent after the end or a cancellation goes
  /// nowhere. What the closure returns is cancelled once, when all is delivered or the subscription is cancelled.
  ///
  /// - Complexity: Keeps up to `bufferSize` values that are not asked for.
  public struct Create<Output, Failure: Error>: Publisher {
    /// Starts sending, and returns what stops it.
    public typealias SubscriberHandler = (Subscriber) -> any Cancellable

    @usableFromInline let bufferSize: Int
    @usableFromInline let whenFull: Publishers.BufferingStrategy<Failure>
    @usableFromInline let factory: SubscriberHandler

    /// A publisher of what `factory` sends.
    ///
    /// - Parameters:
    ///   - bufferSize: How many values are kept. Traps if negative.
    ///   - whenFull: What becomes of one more.
    ///   - factory: Called when somebody subscribes, on its thread, after it has its subscription.
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
      let desk = Desk("Create", to: subscriber)
      desk.describe = { "Create.Subscription<\(Output.self), \(Failure.self)>" }  // as in CombineExt
      subscriber.receive(subscription: desk)
      if desk.isOver { return }  // law C14
      let handle = Subscriber(
        take: { value in desk.run { desk.emit(value, keeping: size, whenFull: whenFull) } },
        end: { completion in desk.run { desk.finish(completion, afterAll: true) } })
      let belonging = factory(handle)
      desk.keep(Departing { belonging.cancel() })
    }

    /// The way to one subscriber. Any thread may send.
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

      /// Ends the stream. The returned cancellable is cancelled when all is delivered.
      public func send(completion: Subscribers.Completion<Failure>) { end(completion) }
    }
  }
}

extension MorePublishers.Create.Subscriber: @unchecked Sendable where Output: Sendable {}  // the desk takes one signal at a time
