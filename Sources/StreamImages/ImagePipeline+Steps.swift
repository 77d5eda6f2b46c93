internal import Foundation
internal import Streams

/// What the arrows of the flow are made of: a stage each, measured, as a publisher.
extension ImagePipeline {
  func stored<Source: Publisher>(
    _ source: Source, _ request: ImageRequest
  ) -> AnyPublisher<Source.Output, Error> where Source.Failure == Error, Source.Output: Sendable {
    guard request.options.contains(.waitForStorage) else { return source.eraseToAnyPublisher() }
    return source.flatMap(maxPublishers: .max(1)) { [store] output in
      eventually { () throws(Error) in
        await store.flush()
        return output
      }
    }
    .eraseToAnyPublisher()
  }

  /// image ─▶ process. A preview that cannot be processed is left out.
  func processed(
    _ material: DecodedImage, by processor: any ImageProcessing, _ request: ImageRequest, _ job: Urgency
  ) -> Images {
    let image: Images = eventually { [process, instruments] () throws(Error) in
      try await instruments.measure(.process, request) { () throws(Error) in
        try await process(material, by: processor, for: request, job)
      }
    }
    guard material.isPreview else { return image }
    return image.catch { _ in Empty() }.eraseToAnyPublisher()
  }

  /// closure ─▶ picture
  func taken(
    _ supply: @escaping ImageSupply, _ request: ImageRequest, target: ResizeTarget?, _ job: Urgency
  ) -> Images {
    eventually { [load, process, instruments] () throws(Error) in
      guard !request.options.contains(.returnCacheDataDontLoad) else { throw .dataMissingInCache }
      let image = try await instruments.measure(.load, request) { () throws(Error) in
        try await load.image(supply, for: request, job)
      }
      return try await process(image, for: request, target: target, job)
    }
  }

  func decoded(
    _ encoded: EncodedImage, _ request: ImageRequest, target: ResizeTarget?, _ session: DecodingSession,
    _ job: Urgency
  ) -> Images {
    eventually { [decode, instruments] () throws(Error) in
      try await instruments.measure(.decode, request) { () throws(Error) in
        try await decode(encoded, for: request, target: target, session, job)
      }
    }
  }

  func preview(
    of encoded: EncodedImage, _ request: ImageRequest, target: ResizeTarget?, _ session: DecodingSession,
    _ job: Urgency
  ) -> Images {
    let preview: AnyPublisher<DecodedImage?, Error> = eventually { [decode, instruments] () throws(Error) in
      try await instruments.measure(.preview, request) {
        await decode.preview(of: encoded, for: request, target: target, session, job)
      }
    }
    return preview.compactMap { $0 }.eraseToAnyPublisher()
  }

  /// What the disk had was of no use: away with it, and on as if it had not been there.
  func recovered(
    from error: Error, forgetting forget: @escaping @Sendable () async -> Void, _ next: @escaping () -> Images
  ) -> Images {
    guard error.blamesTheBytes else { return Fail(error: error).eraseToAnyPublisher() }
    return eventually { () throws(Error) in await forget() }.flatMap { next() }.eraseToAnyPublisher()
  }

  /// What sets a job apart from all others, if work is not to be shared.
  var number: UInt64? {
    if configuration.isCoalescingEnabled { return nil }
    return numbers.withLock { number in
      number += 1
      return number
    }
  }
}

extension ImagePipeline.Error {
  static var badURL: Self { .dataLoadingFailed(.badURL("")) }
}

extension DecodedImage {
  func found(in source: CacheSource) -> DecodedImage {
    var found = self
    found.hit = source
    return found
  }
}

extension ImageRequest {
  var notFromDisk: ImageRequest {
    var request = self
    request.options.insert(.disableDiskCacheReads)
    return request
  }
}
