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
  /// the completion follows them. As many wait for a delivery that is under way on another thread. Values sent after the end or a cancellation are ignored. The cancellable that the closure
  /// returns is cancelled once, when everything is delivered or the subscription is cancelled.
  ///
  /// - Complexity: Keeps up to `bufferSize` values that are not requested yet, and as many that wait for a delivery.
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
      let core = OperatorCore("Create", to: subscriber)
      core.describe = { "Create.Subscription<\(Output.self), \(Failure.self)>" }  // as in CombineExt
      subscriber.receive(subscription: core)
      if core.isOver { return }  // law C14
      let inlet = CreateInlet(core, bufferSize, whenFull)
      core.onEnd { [weak inlet] in inlet?.clear() }
      let handle = Subscriber(take: { inlet.take($0) }, end: { inlet.end($0) })
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

/// Brings the values of a ``MorePublishers/Create`` from any thread into its core. At most `size` wait for the thread inside.
@usableFromInline
final class CreateInlet<Downstream: Subscriber> {
  @usableFromInline
  struct Arrivals {
    @usableFromInline var values = RingQueue<Downstream.Input>()
    /// Whether a value had no room, and the stream fails.
    @usableFromInline var hasFailed = false

    @inlinable
    init() {}
  }

  @usableFromInline let core: OperatorCore<Downstream>
  @usableFromInline let size: Int
  @usableFromInline let whenFull: Publishers.BufferingStrategy<Downstream.Failure>
  @usableFromInline let arrivals = Guarded(Arrivals())

  @inlinable
  init(
    _ core: OperatorCore<Downstream>, _ size: Int,
    _ whenFull: Publishers.BufferingStrategy<Downstream.Failure>
  ) {
    self.core = core
    self.size = size
    self.whenFull = whenFull
  }

  @inlinable
  func take(_ value: Downstream.Input) {
    if core.isOver { return }
    if size == .max { return core.emitFromOutside(value) }
    var lost: Downstream.Input?
    let event = arrivals.withLock { arrivals -> (() -> Void)? in
      if arrivals.hasFailed { return nil }
      guard arrivals.values.count >= max(size, 1) else {
        arrivals.values.append(value)
        return { self.deliver() }
      }
      switch whenFull {
      case .dropOldest:
        lost = arrivals.values.removeFirst()
        arrivals.values.append(value)
      case .dropNewest: lost = value
      case .customError(let make):
        arrivals.hasFailed = true
        return { self.finish(.failure(make())) }
      }
      return nil
    }
    if let lost { Drops.note(lost, by: core, because: .full) }
    if let event { core.performValue(event) }
  }

  @inlinable
  func end(_ completion: Subscribers.Completion<Downstream.Failure>) {
    core.perform { self.finish(completion) }
  }

  /// Releases what waits for a core that is over.
  @inlinable
  func clear() {
    let gone = arrivals.withLock { arrivals in
      defer { arrivals.values = RingQueue() }
      return arrivals.values
    }
    withExtendedLifetime(gone) {}
  }

  // MARK: Inside the drain loop

  @inlinable
  func finish(_ completion: Subscribers.Completion<Downstream.Failure>) {
    while deliver() {}  // another thread may not have come to deliver yet what it has left
    core.finish(completion, afterAll: true)
  }

  /// Emits the first value. False if none is left.
  @inlinable @discardableResult
  func deliver() -> Bool {
    guard let value = arrivals.withLock({ $0.values.popFirst() }) else { return false }
    core.emit(value, keeping: size, whenFull: whenFull)
    return true
  }
}

extension YieldingNames {
  /// A publisher that calls a closure for each subscription, and sends what the closure sends.
  public typealias Create<Output, Failure: Error> = MorePublishers.Create<Output, Failure>
}
