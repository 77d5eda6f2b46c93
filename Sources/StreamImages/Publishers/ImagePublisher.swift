public import Streams

/// A publisher of one image.
///
/// It publishes previews, if there are any, then the image, and finishes; or it fails. Nothing is loaded without
/// demand. Each subscription is one request, no matter how often it requests values, and concurrent requests for the
/// same image share one load.
///
/// **Demand**: Only the latest preview is kept until it is requested. The image waits for demand and is never dropped.
/// A demand of zero traps.
///
/// **Threads**: An image in memory is delivered during the first request for a value, after `receive(subscription:)`
/// has returned, unless it waits for storage. Other images arrive on a thread of the pipeline, or on one that requests
/// them later; use `receive(on:)` to change it.
///
/// **Cancellation**: Releases the subscriber, and stops the load unless other requests share it.
public struct ImagePublisher: Publisher, Sendable {
  public typealias Output = ImageResponse
  public typealias Failure = ImagePipeline.Error

  /// The request of each subscriber.
  public let request: ImageRequest
  /// The pipeline that loads the image.
  public let pipeline: ImagePipeline
  /// Whether previews are published.
  public let includesPreviews: Bool

  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    ResultPublisher("ImagePublisher") { [self] subscription in
      pipeline.begin(request, includingPreviews: includesPreviews, subscription)
    }
    .receive(subscriber: subscriber)
  }
}

/// A publisher of loaded or encoded bytes. Otherwise like ``ImagePublisher``.
///
/// ``ImagePipeline/dataPublisher(with:)-(ImageRequest)`` also delivers bytes that are not an image, but does not store
/// them in the disk cache. ``ImagePipeline/encodedImagePublisher(with:)-(ImageRequest)`` delivers images only.
public struct DataPublisher: Publisher, Sendable {
  public typealias Output = DataResponse
  public typealias Failure = ImagePipeline.Error

  /// The request of each subscriber.
  public let request: ImageRequest
  /// The pipeline that loads the bytes.
  public let pipeline: ImagePipeline
  let isEncoded: Bool

  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    ResultPublisher("DataPublisher") { [self] subscription in
      pipeline.begin(request, isEncoded: isEncoded, subscription)
    }
    .receive(subscriber: subscriber)
  }
}
