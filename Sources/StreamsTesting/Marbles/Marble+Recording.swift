public import Streams

extension Marble {
  /// Plays the diagram to an operator under virtual time, and draws its output. A column is a second.
  ///
  /// - Parameters:
  ///   - columns: The number of columns.
  ///   - demand: The initial demand.
  ///   - name: Returns the name of a value in the diagram.
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
  /// Subscribes to `publisher`, moves the time by `tick` from column to column, draws its events, and cancels.
  ///
  /// ```swift
  /// let scheduler = VirtualScheduler.virtual
  /// let letters = try Marble("a--b|").publisher(on: scheduler)
  /// let digits = try Marble("-1-2-|").publisher(on: scheduler)
  /// #expect(scheduler.diagram(of: letters.merge(with: digits)) == "a1-(b2)-|")
  /// ```
  ///
  /// - Parameters:
  ///   - publisher: The publisher to draw.
  ///   - columns: The number of columns.
  ///   - tick: The duration of a column.
  ///   - demand: The initial demand.
  ///   - name: Returns the name of a value in the diagram.
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
