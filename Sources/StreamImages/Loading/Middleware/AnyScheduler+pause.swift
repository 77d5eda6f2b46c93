internal import Dispatch
internal import Streams
internal import StreamsExtras
internal import StreamsFoundation

extension AnyScheduler where SchedulerTimeType == DispatchQueue.SchedulerTimeType {
  /// Waits in the time of this scheduler. Returns early if the task is cancelled.
  func pause(for duration: Duration) async {
    let (seconds, attoseconds) = duration.bounded.components
    let stride = SchedulerTimeType.Stride.seconds(Double(seconds) + Double(attoseconds) / 1e18)
    let pause = Promise<Void>()
    await pause.value(ifCancelled: ()) {
      schedule(after: now.advanced(by: stride), tolerance: .zero, options: nil) { pause.fulfil(()) }
    }
  }
}
