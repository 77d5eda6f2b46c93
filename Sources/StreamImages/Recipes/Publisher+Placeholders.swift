internal import Foundation
public import Streams

extension Publisher where Output == ImageResponse {
  /// Publishes a placeholder first, marked as a preview.
  ///
  /// ```swift
  /// let images = pipeline.lowThenHigh(small, large)
  ///   .prependingPlaceholder(try hash.image(), of: small)
  /// ```
  ///
  /// The chain then publishes three images: the placeholder at once, the small one, and the large one. The
  /// ``ImageResponse/origin`` of the placeholder is ``ImageOrigin/program``. Without a placeholder, nothing is added.
  ///
  /// - Parameters:
  ///   - placeholder: For example the image of a `ThumbHash` or of a `BlurHash`.
  ///   - request: The request in the response with the placeholder.
  @_disfavoredOverload
  public func prependingPlaceholder(
    _ placeholder: Image?, of request: ImageRequest
  ) -> AnyPublisher<ImageResponse, Failure> {
    guard let placeholder else { return eraseToAnyPublisher() }
    var decoded = DecodedImage(placeholder, isPreview: true)
    decoded.origin = .program
    return prepend(ImageResponse(request: request, decoded: decoded)).eraseToAnyPublisher()
  }
}

extension ImagePipeline {
  /// Publishes the `ThumbHash` of an image, to store it beside the address of the image.
  ///
  /// The image is loaded at a reduced size, with the request's processors. It is hashed on the thread where it arrives.
  public func thumbHashPublisher(with request: ImageRequest) -> AnyPublisher<ThumbHash, Error> {
    hashPublisher(with: request) { image throws(ImageCodecError) in try ThumbHash(encoding: image) }
  }

  /// Publishes the `BlurHash` of an image, to store it beside the address of the image.
  ///
  /// The same as ``thumbHashPublisher(with:)`` otherwise. `columns` and `rows` are from 1 to 9; others fail with
  /// ``Error/processingFailed(processor:_:)``.
  public func blurHashPublisher(
    with request: ImageRequest, columns: Int = 4, rows: Int = 3
  ) -> AnyPublisher<BlurHash, Error> {
    hashPublisher(with: request) { image throws(ImageCodecError) in
      try BlurHash(encoding: image, columns: columns, rows: rows)
    }
  }

  private func hashPublisher<Hash: Sendable>(
    with request: ImageRequest, _ hash: @escaping @Sendable (Image) throws(ImageCodecError) -> Hash
  ) -> AnyPublisher<Hash, Error> {
    var small = request
    // What a hash can hold at most.
    small.processors.append(.resize(size: CGSize(width: 100, height: 100), contentMode: .aspectFit))
    return imagePublisher(with: small, includingPreviews: false)
      .tryMap { response throws(Error) in
        do { return try hash(response.image) } catch {
          throw .processingFailed(processor: "\(Hash.self)", error)
        }
      }
      .mapError { $0 as? Error ?? .processingFailed(processor: "\(Hash.self)", $0) }
      .eraseToAnyPublisher()
  }
}
