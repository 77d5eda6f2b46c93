public import Streams

extension Marble {
  /// Returns a publisher that plays the diagram to each subscriber, starting at its subscription.
  ///
  /// Actions due on the scheduler at the same time run first. Values without demand are lost.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler of the time.
  ///   - tick: The duration of a column.
  ///   - failure: The failure of `#`.
  ///   - value: The value of a name.
  public func publisher<Output, Failure: Error, Context: Scheduler>(
    on scheduler: Context, every tick: Context.SchedulerTimeType.Stride = .seconds(1),
    failing failure: Failure = TestFailure.scripted, _ value: @escaping (String) -> Output
  ) -> MarblePublisher<Output, Failure> {
    MarblePublisher(self, scheduler, tick, failure, value)
  }

  /// Returns a publisher that plays the diagram to each subscriber, starting at its subscription. Its values are the
  /// names in the diagram.
  ///
  /// Actions due on the scheduler at the same time run first. Values without demand are lost.
  public func publisher<Context: Scheduler>(
    on scheduler: Context, every tick: Context.SchedulerTimeType.Stride = .seconds(1)
  ) -> MarblePublisher<String, TestFailure> {
    publisher(on: scheduler, every: tick) { $0 }
  }
}

/// A publisher that plays a ``Marble``.
public final class MarblePublisher<Output, Failure: Error>: Publisher {
  private let script = Script(Output.self, failure: Failure.self)
  private let play: (Script<Output, Failure>.Session) -> any Cancellable
  private let column: () -> Int
  private let content = Guarded<[(start: Int, end: Int?)]>([])

  init<Context: Scheduler>(
    _ marble: Marble, _ scheduler: Context, _ tick: Context.SchedulerTimeType.Stride, _ failure: Failure,
    _ value: @escaping (String) -> Output
  ) {
    let origin = scheduler.now
    column = {
      var (column, date) = (0, origin)
      while date < scheduler.now {
        date = date.moved(on: tick)  // time moves on, whatever the tick
        column += 1
      }
      return column
    }
    play = { session in
      let clock = Clock()
      var left = marble.columns[...]
      clock.timer = scheduler.schedule(after: scheduler.now, interval: tick) { [weak clock] in
        let signals = left.popFirst() ?? []
        if left.isEmpty { clock?.timer = nil }
        if signals.isEmpty { return }
        // Behind everything else that is due at this time.
        scheduler.schedule {
          for signal in signals { session.give(signal, value, failure) }
        }
      }
      return AnyCancellable { clock.timer = nil }
    }
    script.keepsSubscribers = false
    script.handsOverAtOnce = false
  }

  public func receive<Downstream: Subscriber<Output, Failure>>(subscriber: Downstream) {
    script.subscribe(subscriber)
    guard let session = script.session else { return }
    let number = content.withLock { list in
      list.append((start: column(), end: nil))
      return list.count - 1
    }
    let timer = play(session)
    session.subscription.onCancel = { [weak self, weak session] in
      timer.cancel()
      session?.forget()
      self?.leave(number)
    }
    session.handOver(session.subscription)
  }

  private func leave(_ number: Int) {
    let column = column()
    content.withLock { list in list[number].end = list[number].end ?? column }
  }

  /// A diagram for each subscriber: `^` is its subscription and `!` its cancellation. Columns start when the publisher is
  /// created.
  public var subscriptions: [String] {
    content.withLock { $0 }.map { start, end in
      let before = String(repeating: "-", count: start)
      guard let end else { return before + "^" }
      return before + (end == start ? "(^!)" : "^" + String(repeating: "-", count: end - start - 1) + "!")
    }
  }
}

/// Moves from column to column, until it is released.
private final class Clock {
  var timer: (any Cancellable)?
}

extension Script.Session {
  fileprivate func give(_ signal: Marble.Signal, _ value: (String) -> Output, _ failure: Failure) {
    if isOver { return }
    switch signal {
    case .value(let name): if outstanding > .none { say(value(name)) }
    case .finished: end()
    case .failure: end(.failure(failure))
    }
  }
}
