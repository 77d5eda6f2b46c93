public import Foundation
public import Streams

extension ImagePipeline {
  /// Returns a publisher of an animation: a GIF, a WebP, or a still image as one frame.
  ///
  /// The bytes are loaded and cached as those of ``dataPublisher(with:)-(ImageRequest)``. Only the header is decoded
  /// here, and no frame is stored in a cache; see ``AnimatedImage``. For bytes that are not an image, it fails like
  /// ``imagePublisher(with:includingPreviews:)``, and removes them from the disk.
  public func animationPublisher(with request: ImageRequest) -> AnyPublisher<AnimatedImage, Error> {
    dataPublisher(with: request)
      .flatMap { [self] response -> AnyPublisher<AnimatedImage, Error> in
        do throws(Error) {
          let animation = try AnimatedImage(
            response, limits: configuration.decodingLimits, isolation: decode.isolation)
          return Just(animation).setFailureType(to: Error.self).eraseToAnyPublisher()
        } catch {
          guard error.blamesTheBytes else { return Fail(error: error).eraseToAnyPublisher() }
          return taskPublisher { [cache] () throws(Error) in
            await cache.remove(response.request, from: .disk)
            throw error
          }
        }
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
    try await lastValue(of: animationPublisher(with: request))
  }

  /// Loads the animation at a URL. Throws if the URL is `nil`.
  public func animation(for url: URL?) async throws(Error) -> AnimatedImage {
    try await animation(for: ImageRequest(url: url))
  }
}
