public import Foundation
public import Streams

extension ImagePipeline {
  /// Returns a publisher of an animation: a GIF, a WebP, an APNG, a JPEG XL, or a still image as one frame.
  ///
  /// The bytes are loaded and cached as those of ``dataPublisher(with:)-(ImageRequest)``. Only the header is decoded
  /// here, and no frame is stored in a cache; see ``AnimatedImage``. For bytes that the included decoders cannot read, it
  /// fails like ``imagePublisher(with:includingPreviews:)``, and removes them from the disk unless a decoder of your own
  /// can decode them.
  public func animationPublisher(with request: ImageRequest) -> AnyPublisher<AnimatedImage, Error> {
    ResultPublisher("AnimationPublisher") { [self] subscription in
      let task = Task.detached { [self] in
        do throws(Error) { subscription.finish(try await animation(for: request)) } catch {
          subscription.fail(error)
        }
      }
      return AnyCancellable { task.cancel() }
    }
    .eraseToAnyPublisher()
  }

  /// Returns a publisher of the animation at a URL. It fails if the URL is `nil`.
  public func animationPublisher(with url: URL?) -> AnyPublisher<AnimatedImage, Error> {
    animationPublisher(with: ImageRequest(url: url))
  }

  /// Loads an animation; see ``animationPublisher(with:)-(ImageRequest)``.
  ///
  /// Cancelling the task cancels the request and throws ``Error/cancelled``.
  public func animation(for request: ImageRequest) async throws(Error) -> AnimatedImage {
    let response = try await data(for: request)
    do throws(Error) {
      // A worker process blocks its thread, so this needs a place like all decoding.
      return try await decode.queue.run(DynamicPriority(request.priority)) {
        [limits = configuration.decodingLimits, isolation = decode.isolation] _ throws(Error) in
        try AnimatedImage(response, limits: limits, isolation: isolation)
      }
    } catch {
      if error.isCausedByData, !decode.hasOwnDecoder(for: response) {
        await cache.remove(request, from: .disk)
      }
      throw error
    }
  }

  /// Loads the animation at a URL. Throws if the URL is `nil`.
  public func animation(for url: URL?) async throws(Error) -> AnimatedImage {
    try await animation(for: ImageRequest(url: url))
  }
}
