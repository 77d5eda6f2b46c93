public import Streams

extension Marble {
  /// Plays the diagram to an operator under virtual time, and draws what comes of it: a column is a second.
  ///
  /// - Parameters:
  ///   - columns: For how long.
  ///   - demand: What is asked for when the subscription arrives.
  ///   - name: How values are drawn.
  ///   - make: Builds the operator.
  /// - Returns: A diagram, without the silence at its end.
  public func play<P: Publisher>(
    for columns: Int = 20, demand: Subscribers.Demand = .unlimited,
    naming name: (P.Output) -> String = { "\($0)" },
    through make: (MarblePublisher<String, TestFailure>, VirtualScheduler) -> P
  ) -> String {
    let scheduler = VirtualScheduler.virtual
    return scheduler.diagram(
      of: make(publisher(on: scheduler), scheduler), columns: columns, demand: demand, naming: name)
  }
}

extension TestScheduler {
  /// Subscribes to `publisher`, moves the time on by `columns` times `tick`, draws what comes, and cancels.
  ///
  /// ```swift
  /// let scheduler = VirtualScheduler.virtual
  /// let letters = try Marble("a--b|").publisher(on: scheduler)
  /// let digits = try Marble("-1-2-|").publisher(on: scheduler)
  /// #expect(scheduler.diagram(of: letters.merge(with: digits)) == "a1-(b2)-|")
  /// ```
  ///
  /// - Parameters:
  ///   - publisher: Where values come from.
  ///   - columns: How many columns to draw.
  ///   - tick: The length of a column.
  ///   - demand: What is asked for when the subscription arrives.
  ///   - name: How values are drawn.
  /// - Returns: A diagram, without the silence at its end.
  public func diagram<P: Publisher>(
    of publisher: P, columns: Int = 20, every tick: SchedulerTimeType.Stride = .seconds(1),
    demand: Subscribers.Demand = .unlimited, naming name: (P.Output) -> String = { "\($0)" }
  ) -> String {
    let recorder = publisher.record(demand: demand)
    var drawn: [[Marble.Signal]] = []
    var seen = 0
    for column in 0..<columns {
      advance(by: column == 0 ? .zero : tick)
      let events = recorder.events.dropFirst(seen)
      seen += events.count
      drawn.append(events.compactMap { Self.signal(of: $0, name) })
    }
    recorder.cancel()
    return Marble(columns: drawn).trimmed.description
  }

  private static func signal<Output, Failure: Error>(
    of event: Recorder<Output, Failure>.Event, _ name: (Output) -> String
  ) -> Marble.Signal? {
    switch event {
    case .subscription: nil
    case .value(let value): .value(name(value))
    case .completion(.finished): .finished
    case .completion(.failure): .failure
    }
  }
}
