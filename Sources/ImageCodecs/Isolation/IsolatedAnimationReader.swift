/// Reads an animation in a worker process, one frame after the other: ``AnimationReader``, at arm's length.
///
/// The process is this animation's alone until the reader is released.
public final class IsolatedAnimationReader {
  /// The contents of the header, as the worker reported them.
  public let info: ImageInfo

  /// The number of times that the animation plays; nil for ever.
  public let plays: Int?

  private let worker: WorkerProcess
  private let pool: WorkerPool
  private let options: DecodingOptions
  private var hasEnded = false
  private var frameCount = 0

  init(
    _ worker: WorkerProcess, of pool: WorkerPool, _ bytes: UnsafeRawBufferPointer, options: DecodingOptions
  ) throws(ImageCodecError) {
    var request = WorkerRequest(.open)
    request.options = options
    guard case .animation(let info, let plays) = try worker.reply(request, bytes, isCancelled: { false })
    else { throw .mismatchedReply }
    try worker.check(info)
    (self.info, self.plays) = (info, plays)
    (self.worker, self.pool, self.options) = (worker, pool, options)
  }

  deinit { pool.takeBack(worker) }

  /// The next frame; nil after the last one, and after an error.
  public func next() throws(ImageCodecError) -> AnimationFrame? {
    if hasEnded { return nil }
    var request = WorkerRequest(.frame)
    request.options = options
    do throws(ImageCodecError) {
      guard let (image, claim) = try worker.image(request, nil, isCancelled: { false }) else {
        hasEnded = true
        return nil
      }
      frameCount += 1
      guard frameCount <= options.limits.maximumFrames else {
        throw .decoderMisbehaved("it has more frames than the limit")
      }
      // Frames of no time would keep whoever plays them busy.
      let microseconds = Int(claim.duration / .microseconds(1))
      return AnimationFrame(image: image, duration: AnimationFrame.duration(microseconds: microseconds))
    } catch {
      hasEnded = true
      worker.end()
      throw error
    }
  }
}
