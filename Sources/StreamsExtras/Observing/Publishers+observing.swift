internal import Observation

extension YieldingNames {
  #if compiler(>=6.2)
    /// Creates a publisher of what a closure reads from `@Observable` objects: the current result, and one after each
    /// change.
    ///
    /// Changes that an actor makes without suspending are sent as one. A subscriber without demand receives the latest
    /// result later. An error that the closure throws is the failure. The publisher uses `Observations` of the standard
    /// library, and delivers values from a task.
    ///
    /// ```swift
    /// let areas = Publishers.observing { frame.width * frame.height }
    /// ```
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    public static func observing<Value: Sendable, Failure: Error>(
      @_inheritActorContext
      _ read: @escaping @isolated(any) @Sendable () throws(Failure) -> Value
    ) -> some Publisher<Value, Failure> & Sendable {
      Observations(read).publisher
    }
  #endif

  /// Creates a publisher that signals before the properties change that a closure reads from `@Observable` objects.
  ///
  /// The signal arrives on the thread that makes the change, before the new value is stored, as with
  /// `ObservableObject`. The subscription itself sends nothing. The closure is called at each subscription, and again
  /// with each change. A closure that is isolated to an actor is called there. If it has to wait for its actor,
  /// earlier changes are not observed.
  ///
  /// ```swift
  /// let changes = Publishers.observing(willSet: { (frame.width, frame.height) })
  /// ```
  @_disfavoredOverload  // for a trailing closure, which does not show its label
  public static func observing<Value>(
    @_inheritActorContext willSet read: @escaping @isolated(any) @Sendable () -> Value
  ) -> some Publisher<Void, Never> & Sendable {
    let home = read.isolation
    let read = withoutIsolation(read)
    return ObservationSignals(home: home) { _ = read() }
  }
}
