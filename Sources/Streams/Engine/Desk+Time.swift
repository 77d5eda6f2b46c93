extension Desk {
  /// Runs `body` inside the reception after `interval`, unless the stream is over by then.
  ///
  /// The scheduler does not keep the desk (law C21).
  @inlinable
  package func wake<Context: Scheduler>(
    after interval: Context.SchedulerTimeType.Stride, tolerance: Context.SchedulerTimeType.Stride? = nil,
    on scheduler: Context, options: Context.SchedulerOptions?, _ body: @escaping (Desk) -> Void
  ) {
    let holder = SerialCancellable()
    keep(Departing { holder.cancel() })
    // One-shot jobs cannot be called off; so this is a repeating one that is cancelled when it rings.
    let token = scheduler.schedule(
      after: scheduler.now.advanced(by: interval), interval: interval,
      tolerance: tolerance ?? scheduler.minimumTolerance, options: options
    ) { [weak self, weak holder] in
      holder?.cancel()
      if let self { self.run { body(self) } }
    }
    holder.replace(with: AnyCancellable { token.cancel() })
  }

  /// Makes an alarm that is called off when the stream is over.
  @inlinable
  package func alarm<Context: Scheduler>(
    on scheduler: Context, options: Context.SchedulerOptions?
  ) -> Alarm<Context> {
    let alarm = Alarm(on: scheduler, options: options)
    keep(Departing { alarm.callOff() })
    return alarm
  }
}
