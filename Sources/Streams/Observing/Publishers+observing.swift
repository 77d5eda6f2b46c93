internal import Observation

extension YieldingNames {
  #if compiler(>=6.2)
    /// A publisher of what a closure makes of `@Observable` objects: its result now, and after each change of what it
    /// read.
    ///
    /// Changes that belong together come as one: all that an actor does before it suspends. A subscriber that has not asked meanwhile gets the latest result. A closure that throws
    /// ends the stream. What observes is `Observations` of the toolchain, and a task brings the values.
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

  /// A publisher that signals before what a closure reads of `@Observable` objects changes: once for each change.
  ///
  /// The signal comes on the thread that makes the change, before the new value is there, as that of
  /// ``ObservableObject`` does; nothing is sent at first. The closure is called when somebody subscribes, and again
  /// after each signal. One that belongs to an actor is called there: at once if that is the main actor and so is the
  /// caller, else as soon as the actor is free, and what changes before that is not seen.
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
