public import Streams

/// A publisher of one picture.
///
/// Nothing happens before a subscriber asks. Each subscription is a request of its own, however often it asks;
/// requests for the same picture share the work. It publishes previews, if there are any, then the picture, then
/// finishes; or it fails.
///
/// **Demand**: previews that are not asked for are replaced by better ones; the picture waits until it is asked for,
/// and is never dropped. Asking for nothing is a mistake, and traps.
/// **Threads**: a picture that is in memory is delivered inside the first request (after `receive(subscription:)`
/// has returned, if that is where it is made). Otherwise the thread is one of the pipeline's; see `receive(on:)`.
/// **Cancellation**: lets go of the subscriber, and stops the work unless others wait for it.
public struct ImagePublisher: Publisher, Sendable {
  public typealias Output = ImageResponse
  public typealias Failure = ImagePipeline.Error

  /// What each subscriber asks for.
  public let request: ImageRequest
  /// Who loads it.
  public let pipeline: ImagePipeline
  /// Whether unfinished pictures are published on the way.
  public let includesPreviews: Bool

  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    DeliveryPublisher("ImagePublisher") { [self] delivery in
      pipeline.begin(request, includingPreviews: includesPreviews, delivery)
    }
    .receive(subscriber: subscriber)
  }
}

/// A publisher of bytes, as they were loaded or as they are encoded; otherwise as ``ImagePublisher``.
///
/// ``ImagePipeline/dataPublisher(with:)-(ImageRequest)`` also delivers bytes that are not an image, but does not store
/// them on disk. ``ImagePipeline/encodedImagePublisher(with:)-(ImageRequest)`` delivers images only.
public struct DataPublisher: Publisher, Sendable {
  public typealias Output = DataResponse
  public typealias Failure = ImagePipeline.Error

  /// What each subscriber asks for.
  public let request: ImageRequest
  /// Who loads it.
  public let pipeline: ImagePipeline
  let isEncoded: Bool

  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    DeliveryPublisher("DataPublisher") { [self] delivery in
      pipeline.begin(request, isEncoded: isEncoded, delivery)
    }
    .receive(subscriber: subscriber)
  }
}
