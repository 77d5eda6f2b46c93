public import Dispatch
public import Foundation
internal import Streams
internal import StreamsFoundation

/// The encoded bytes of an animation, with a checked header. Decodes its frames as often as you like.
///
/// ```swift
/// let animation = try await pipeline.animation(for: url)
/// let playing = animation.play(on: .main).sink { _ in
/// } receiveValue: { frame in
///   show(frame.image)
/// }
/// ```
/// Only encoded bytes are kept in memory; each subscription decodes one frame at a time. A still image is an animation
/// of one frame. Processors of the request are applied to every frame; a first processor that only resizes decodes each
/// frame to its size.
public struct AnimatedImage: Sendable {
  /// The encoded bytes.
  public let data: Data
  /// What the header says; sizes are those before processing.
  public let info: ImageInfo
  /// How often the animation is to be shown; `nil` for ever.
  public let plays: Int?
  /// The request as the pipeline executed it.
  public let request: ImageRequest

  private let options: DecodingOptions
  private let processors: [any ImageProcessing]

  init(_ response: DataResponse, limits: DecodingLimits) throws(ImagePipeline.Error) {
    (data, request) = (response.data, response.request)
    var (target, processors) = (request.thumbnail?.target, request.processors[...])
    if target == nil, let first = processors.first?.decodingTarget {
      target = first
      processors = processors.dropFirst()
    }
    self.processors = Array(processors)
    options = DecodingOptions(limits: limits, target: target, scale: request.scale)
    do throws(ImageCodecError) {
      let reader = try AnimationReader(data, options: options)
      (info, plays) = (reader.info, reader.plays)
    } catch {
      throw .init(decoding: error, isCancelled: false)
    }
  }

  /// A publisher of all frames, once each, as fast as they are requested.
  ///
  /// Each subscription decodes for itself, on the thread that requests. Fails with
  /// ``ImagePipeline/Error/decodingFailed(_:)`` at a damaged frame, and with
  /// ``ImagePipeline/Error/processingFailed(processor:_:)``.
  public var frames: AnyPublisher<AnimationFrame, ImagePipeline.Error> { frames(plays: 1) }

  /// A publisher of the frames, each of them at its time; it finishes after the last play.
  ///
  /// The next frame is decoded on `scheduler` when the time of the present one is over, so frames are shown for at least
  /// their duration. A frame that is not requested delays those that follow; none is dropped.
  ///
  /// - Parameters:
  ///   - scheduler: Decodes, processes and publishes. With `.main`, large frames can hold up the user interface.
  ///   - plays: How often; by default what the file says. `nil` is for ever.
  public func play(
    on scheduler: AnySchedulerOf<DispatchQueue>, plays: Int?
  ) -> AnyPublisher<AnimationFrame, ImagePipeline.Error> {
    frames(plays: plays)
      .concatMap(waiting: .none) { frame in
        Just(frame).append(
          Empty().delay(for: .milliseconds(Int(frame.duration / .milliseconds(1))), scheduler: scheduler)
        )
        .setFailureType(to: ImagePipeline.Error.self)
      }
      .subscribe(on: scheduler)
      .eraseToAnyPublisher()
  }

  /// The same, as often as the file says.
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

  fileprivate func makeReader() throws(ImagePipeline.Error) -> AnimationReader {
    do throws(ImageCodecError) {
      return try AnimationReader(data, options: options)
    } catch {
      throw .init(decoding: error, isCancelled: false)
    }
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

/// Where one subscription is in an animation.
private struct FrameCursor {
  private let animation: AnimatedImage
  /// How many plays are left, the present one aside; `nil` for ever.
  private var playsLeft: Int?
  private var reader: AnimationReader?
  private var hasEnded = false

  init(_ animation: AnimatedImage, plays: Int?) {
    self.animation = animation
    playsLeft = plays
  }

  /// `nil` after the last frame of the last play, and after a failure.
  mutating func next() -> Result<AnimationFrame, ImagePipeline.Error>? {
    guard !hasEnded else { return nil }
    do throws(ImagePipeline.Error) {
      // A second time for the first frame of the next play. A file without any frame ends.
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
    do throws(ImageCodecError) {
      return try reader?.next()
    } catch {
      throw .init(decoding: error, isCancelled: false)
    }
  }
}
