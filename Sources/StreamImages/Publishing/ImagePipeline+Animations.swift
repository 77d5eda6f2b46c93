public import Foundation
public import Streams

extension ImagePipeline {
  /// A publisher of the animation of `request`: GIF, WebP, or a still image as one frame.
  ///
  /// The bytes are loaded and cached as those of ``dataPublisher(with:)-(ImageRequest)``. Nothing but the header is
  /// decoded here, and no frame is stored in a cache; see ``AnimatedImage``. Fails like
  /// ``imagePublisher(with:includingPreviews:)`` for bytes that are not an image, which are then removed from the disk.
  public func animationPublisher(with request: ImageRequest) -> AnyPublisher<AnimatedImage, Error> {
    dataPublisher(with: request)
      .flatMap { [self] response -> AnyPublisher<AnimatedImage, Error> in
        do throws(Error) {
          let animation = try AnimatedImage(response, limits: configuration.decodingLimits)
          return Just(animation).setFailureType(to: Error.self).eraseToAnyPublisher()
        } catch {
          guard error.blamesTheBytes else { return Fail(error: error).eraseToAnyPublisher() }
          return eventually { [cache] () throws(Error) in
            await cache.remove(response.request, from: .disk)
            throw error
          }
        }
      }
      .eraseToAnyPublisher()
  }

  /// The same for a URL. Without one, it fails.
  public func animationPublisher(with url: URL?) -> AnyPublisher<AnimatedImage, Error> {
    animationPublisher(with: ImageRequest(url: url))
  }

  /// Returns the animation of `request`; see ``animationPublisher(with:)-(ImageRequest)``.
  ///
  /// Cancelling the task cancels the request and throws ``Error/cancelled``.
  public func animation(for request: ImageRequest) async throws(Error) -> AnimatedImage {
    try await lastValue(of: animationPublisher(with: request))
  }

  /// The same for a URL. Without one, it throws.
  public func animation(for url: URL?) async throws(Error) -> AnimatedImage {
    try await animation(for: ImageRequest(url: url))
  }
}
