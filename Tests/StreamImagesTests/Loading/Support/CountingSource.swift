import StreamImages

/// Counts what buffers ask of the loop that fills them.
final class CountingSource: BodySource {
  let resumed = Shared(0)
  let cancelled = Shared(0)

  func resume(_ pipe: BodyPipe) { resumed.change { $0 += 1 } }
  func cancel(_ pipe: BodyPipe) { cancelled.change { $0 += 1 } }
}
