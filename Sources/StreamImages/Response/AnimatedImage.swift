public import Dispatch
public import Foundation
internal import Streams
public import StreamsExtras
internal import StreamsFoundation

/// The encoded bytes of an animation, with a checked header. Its frames can be decoded any number of times.
///
/// ```swift
/// let animation = try await pipeline.animation(for: url)
/// let playing = animation.play(on: .main).sink { _ in
/// } receiveValue: { frame in
///   show(frame.image)
/// }
/// ```
/// Only encoded bytes are kept in memory. Each subscription decodes one frame at a time. A still image is an animation
/// of one frame. The processors of the request are applied to every frame.
public struct AnimatedImage: Sendable {
  /// The encoded bytes.
  public let data: Data
  /// The metadata in the header. Sizes are those before processing.
  public let info: ImageInfo
  /// How many times the animation plays. `nil` means for ever.
  public let plays: Int?
  /// The request, as the pipeline executed it.
  public let request: ImageRequest

  private let options: DecodingOptions
  private let processors: [any ImageProcessing]
  private let isolation: IsolatedDecoders?

  init(
    _ response: DataResponse, limits: DecodingLimits, isolation: IsolatedDecoders?
  ) throws(ImagePipeline.Error) {
    (data, request, self.isolation) = (response.data, response.request, isolation)
    var (target, processors) = (request.thumbnail?.target, request.processors[...])
    if target == nil, let first = processors.first?.decodingTarget {
      target = first
      processors = processors.dropFirst()
    }
    self.processors = Array(processors)
    let options = DecodingOptions(limits: limits, target: target, scale: request.scale)
    let reader = try decoding { () throws(ImageCodecError) in
      try Self.reader(response.data, options, isolation)
    }
    self.options = options
    (info, plays) = (reader.info, reader.plays)
  }

  /// A publisher of all frames, once each, as fast as they are requested.
  ///
  /// Each subscription decodes for itself: two frames when it begins, and then two ahead, on the thread that
  /// subscribes or requests. Fails with
  /// ``ImagePipeline/Error/decodingFailed(_:)`` at a damaged frame, and with
  /// ``ImagePipeline/Error/processingFailed(processor:_:)``.
  public var frames: AnyPublisher<AnimationFrame, ImagePipeline.Error> { frames(plays: 1) }

  /// Returns a publisher of the frames, each at its time. It finishes after the last play.
  ///
  /// Frames are decoded on `scheduler`, two ahead, and shown for at least their duration. A frame that is not requested
  /// delays the following ones; none is dropped.
  ///
  /// - Parameters:
  ///   - scheduler: Decodes, processes and publishes. With `.main`, large frames can block the user interface.
  ///   - plays: How many times to play. `nil` means for ever, and 0 or less not at all.
  public func play(
    on scheduler: AnySchedulerOf<DispatchQueue>, plays: Int?
  ) -> AnyPublisher<AnimationFrame, ImagePipeline.Error> {
    frames(plays: plays)
      .concatMap(waiting: .none) { frame in
        Just(frame).append(
          Empty().delay(
            for: .nanoseconds(Int((frame.duration / .nanoseconds(1)).rounded(.up))), scheduler: scheduler)
        )
        .setFailureType(to: ImagePipeline.Error.self)
      }
      .subscribe(on: scheduler)
      .eraseToAnyPublisher()
  }

  /// Returns a publisher that plays the animation as many times as the file specifies.
  public func play(
    on scheduler: AnySchedulerOf<DispatchQueue>
  ) -> AnyPublisher<AnimationFrame, ImagePipeline.Error> {
    play(on: scheduler, plays: plays)
  }

  private func frames(plays: Int?) -> AnyPublisher<AnimationFrame, ImagePipeline.Error> {
    Deferred {
      sequence(state: FrameCursor(self, plays: plays)) { $0.next() }.publisher
        .setFailureType(to: ImagePipeline.Error.self)
        .concatMap(waiting: .none) { $0.publisher }
    }
    .eraseToAnyPublisher()
  }

  private static func reader(
    _ data: Data, _ options: DecodingOptions, _ isolation: IsolatedDecoders?
  ) throws(ImageCodecError) -> any FrameReading {
    let read = { () throws(ImageCodecError) -> any FrameReading in
      try AnimationReader(data, options: options)
    }
    guard let isolation else { return try read() }
    return try isolation.run(data) { images throws(ImageCodecError) -> any FrameReading in
      try images.animation(data, options: options)
    } here: { () throws(ImageCodecError) in
      try read()
    }
  }

  fileprivate func makeReader() throws(ImagePipeline.Error) -> any FrameReading {
    try decoding { () throws(ImageCodecError) in try Self.reader(data, options, isolation) }
  }

  fileprivate func processed(_ frame: AnimationFrame) throws(ImagePipeline.Error) -> AnimationFrame {
    var frame = frame
    for processor in processors {
      do { frame.image = try processor.process(frame.image, ImageProcessingContext(request: request)) } catch
      {
        throw .init(processing: error, by: processor.identifier, isCancelled: false)
      }
    }
    return frame
  }
}

/// The position of one subscription in an animation.
private struct FrameCursor {
  private let animation: AnimatedImage
  /// The number of plays after the present one; `nil` means for ever.
  private var playsLeft: Int?
  private var reader: (any FrameReading)?
  private var hasEnded = false

  init(_ animation: AnimatedImage, plays: Int?) {
    self.animation = animation
    playsLeft = plays.map { max(0, $0) }
  }

  /// Returns `nil` after the last frame of the last play, and after a failure.
  mutating func next() -> Result<AnimationFrame, ImagePipeline.Error>? {
    guard !hasEnded else { return nil }
    do throws(ImagePipeline.Error) {
      // The second time for the first frame of the next play. A file without frames ends.
      for _ in 0..<2 {
        if reader == nil {
          if playsLeft == 0 { break }
          playsLeft = playsLeft.map { $0 - 1 }
          reader = try animation.makeReader()
        }
        if let frame = try read() { return .success(try animation.processed(frame)) }
        reader = nil
      }
      hasEnded = true
      return nil
    } catch {
      hasEnded = true
      return .failure(error)
    }
  }

  private func read() throws(ImagePipeline.Error) -> AnimationFrame? {
    try decoding { () throws(ImageCodecError) in try reader?.next() }
  }
}

private func decoding<Value>(
  _ body: () throws(ImageCodecError) -> Value
) throws(ImagePipeline.Error) -> Value {
  do throws(ImageCodecError) { return try body() } catch { throw .init(decoding: error, isCancelled: false) }
}

/// The frames of an animation, wherever they are decoded.
protocol FrameReading {
  var info: ImageInfo { get }
  var plays: Int? { get }

  /// The next frame; nil after the last one, and after an error.
  func next() throws(ImageCodecError) -> AnimationFrame?
}

extension AnimationReader: FrameReading {}
extension IsolatedAnimationReader: FrameReading {}
