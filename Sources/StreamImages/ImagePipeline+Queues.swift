extension ImagePipeline {
  /// A kind of work whose concurrency a pipeline limits. Waiting work starts in order of priority.
  public enum Work: Sendable, Hashable, CaseIterable {
    /// The steps of a request, in this order.
    case loading, decoding, processing
    /// Encoding images.
    case encoding
  }

  /// Returns how much work of this kind may run at a time. ``Configuration`` has the initial value.
  public func width(of work: Work) -> Int { queue(of: work).width }

  /// Changes how much work of this kind may run at a time; at least 1. Work that is running continues.
  public func setWidth(_ width: Int, of work: Work) { queue(of: work).width = width }

  /// Returns whether new work of this kind is suspended.
  public func isSuspended(_ work: Work) -> Bool { queue(of: work).isSuspended }

  /// Starts no new work of this kind until ``resume(_:)`` is called, except loads with
  /// ``ImageRequest/Options/skipDataLoadingQueue``. Running work continues; waiting work can be cancelled.
  public func suspend(_ work: Work) { queue(of: work).isSuspended = true }

  /// Starts the waiting work, in order of priority. Does nothing unless the kind is suspended.
  public func resume(_ work: Work) { queue(of: work).isSuspended = false }

  /// Returns how much work of this kind is waiting and how much is running.
  public func counts(of work: Work) -> (waiting: Int, running: Int) { queue(of: work).counts }

  package func waitingPriorities(of work: Work) -> [ImageRequest.Priority] {
    queue(of: work).waitingPriorities
  }

  private func queue(of work: Work) -> WorkQueue {
    switch work {
    case .loading: load.queue
    case .decoding: decode.queue
    case .processing: process.queue
    case .encoding: store.queue
    }
  }
}
