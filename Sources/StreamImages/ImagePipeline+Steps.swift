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

  /// image ─▶ encode
  func encoded(
    _ decoded: DecodedImage, _ request: ImageRequest, _ job: Urgency
  ) -> AnyPublisher<EncodedVariant, Error> {
    eventually { [store, instruments] () throws(Error) in
      try await instruments.measure(.encode, request) { () throws(Error) in
        try await store.encoded(decoded, for: request, job)
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

  /// The failure, once the loader has forgotten the bytes if they are to blame: it may have kept them.
  func refused(_ encoded: EncodedImage, _ error: Error, _ request: ImageRequest) -> Images {
    guard error.blamesTheBytes, encoded.address != nil else {
      return Fail(error: error).eraseToAnyPublisher()
    }
    return eventually { [load] () throws(Error) in
      await load.forget(encoded, for: request)
      throw error
    }
  }

  /// What sets a job apart from all others, if work is not to be shared; from those before the last removal, if it is.
  var number: UInt64? {
    let isShared = configuration.isCoalescingEnabled
    let number = numbers.withLock { number in
      if !isShared { number += 1 }
      return number
    }
    return number == 0 ? nil : number
  }

  /// Has what was begun so far keep nothing of what is meant, and nobody who comes later join it.
  func revoke(_ isMeant: @escaping @Sendable (StorePlace) -> Bool) async {
    numbers.withLock { $0 += 1 }
    await permits.revoke(isMeant)
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
