extension ImagePipeline {
  /// What a pipeline does only so often at a time, and in the order of its urgency.
  public enum Work: Sendable, Hashable, CaseIterable {
    /// On the way of a picture, in this order.
    case loading, decoding, processing
    /// For the disk.
    case encoding
  }

  /// How many pieces of such work run at a time; ``Configuration`` says how many at first.
  public func width(of work: Work) -> Int { queue(of: work).width }

  /// Changes how many run at a time, one at least. More begin at once; if there are to be fewer, those that run go on.
  public func setWidth(_ width: Int, of work: Work) { queue(of: work).width = width }

  /// Whether nothing of such work is begun.
  public func isSuspended(_ work: Work) -> Bool { queue(of: work).isSuspended }

  /// Begins nothing of such work until it is resumed. What runs goes on; what is wanted meanwhile waits, and may be
  /// cancelled.
  public func suspend(_ work: Work) { queue(of: work).isSuspended = true }

  /// Begins what has waited, the most urgent first. Does nothing unless it was suspended.
  public func resume(_ work: Work) { queue(of: work).isSuspended = false }

  /// How many pieces of such work wait for their turn, and how many run.
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
