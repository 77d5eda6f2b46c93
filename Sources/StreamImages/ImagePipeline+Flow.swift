internal import Foundation
internal import Streams

// The order of the steps. It is defined only here.
//
// Inside a job the steps are plain async functions. Publishers connect jobs with their subscribers, and with each other.
//
//   image      request ─▶ memory ─▶ job( disk ─▶ decode │ made ) ─▶ store ─▶ deliver
//   made       ( image without its last processor ─▶ process │ original ─▶ decode │ closure )
//   original   request ─▶ job( disk │ load ) ─▶ check
//   encoding   request ─▶ job( disk │ image ─▶ encode ) ─▶ store ─▶ deliver
extension ImagePipeline {
  typealias Images = AnyPublisher<DecodedImage, Error>
  typealias Originals = AnyPublisher<EncodedImage, Error>
  /// Delivers a preview.
  typealias Show = @Sendable (DecodedImage) -> Void

  /// Whether a cached image is the complete response.
  func isComplete(_ hit: DecodedImage, for request: ImageRequest) -> Bool {
    !hit.isPreview && !request.options.contains(.waitForStorage)
  }

  /// request ─▶ image ─▶ store
  func delivered(_ request: ImageRequest, _ hit: DecodedImage?, _ waiter: DynamicPriority) -> Images {
    let (request, permit) = (request.withoutEncoding, permits.permit())
    return stored(
      image(request, hit, waiter).handleEvents(receiveOutput: { [store] in store($0, for: request, permit) }),
      request)
  }

  /// request ─▶ original ─▶ store
  func delivered(bytesOf request: ImageRequest, _ waiter: DynamicPriority) -> Originals {
    let permit = permits.permit()
    let bytes = original(request, waiter).filter { !$0.isPreview }
      .handleEvents(receiveOutput: { [store, decode] encoded in
        if decode.accepts(encoded, for: request) { store(encoded.uncharged, for: request, permit) }
      })
    return stored(bytes, request)
  }

  /// The encoded image, if it is in memory.
  func encodedHit(_ request: ImageRequest) -> DataResponse? {
    guard request.isEncodedAnew, !request.options.contains(.waitForStorage), !isInvalidated.isSet,
      let found = disk.immediateVariant(request), (try? decode.cost(of: found, for: request)) != nil
    else { return nil }
    return DataResponse(request: request, encoded: found.named)
  }

  /// request ─▶ encoding ─▶ store; for a request that changes nothing, the original.
  func delivered(encodingOf request: ImageRequest, _ waiter: DynamicPriority) -> Originals {
    guard request.isEncodedAnew else {
      return delivered(bytesOf: request, waiter)
        .flatMap { [decode] encoded -> Originals in
          Result { () throws(Error) in
            _ = try decode.cost(of: encoded, for: request)
            return encoded.named
          }
          .publisher.eraseToAnyPublisher()
        }
        .eraseToAnyPublisher()
    }
    guard let key = EncodingJobKey(request, number: number) else {
      return Fail(error: .badURL).eraseToAnyPublisher()
    }
    let permit = permits.permit()
    let variant = encodings.publisher(key, for: waiter) { [self] job in
      taskPublisher { [self] () throws(Error) in try await encoded(request, job) }
    }
    .handleEvents(receiveOutput: { [store] variant in
      if let decoded = variant.decoded { store(decoded, for: request, permit, encodedAs: variant.encoded) }
    })
    return stored(variant.map(\.encoded), request)
  }

  /// ─▶ disk │ image ─▶ encode
  private func encoded(_ request: ImageRequest, _ job: DynamicPriority) async throws(Error) -> EncodedVariant
  {
    if let stored = try await storedVariant(request), (try? decode.cost(of: stored, for: request)) != nil {
      return EncodedVariant(stored.named)
    }
    // Otherwise many more images would be decoded than can be encoded, and would wait in memory.
    return try await encodingsPerHost.hold(request.host, job) { () throws(Error) in
      try await encodingsInProgress.hold(job) { () throws(Error) in
        let plain = request.withoutEncoding
        // A stored image is encoded already, and encoding it again would lose quality.
        let image = try await result(of: image(plain, memory(plain), job, readsDisk: false))
        return try await encoded(image, request, job)
      }
    }
  }

  /// request ─▶ memory ─▶ job
  private func image(
    _ request: ImageRequest, _ hit: DecodedImage?, _ waiter: DynamicPriority, readsDisk: Bool = true
  ) -> Images {
    if let hit, !hit.isPreview { return Just(hit).setFailureType(to: Error.self).eraseToAnyPublisher() }
    guard let key = ImageJobKey(request, number: number) else {
      return Fail(error: .badURL).eraseToAnyPublisher()
    }
    let job = images.publisher(key, for: waiter) { [self] job in
      taskPublisher { [self] (show: @escaping Show) throws(Error) in
        readsDisk ? try await found(request, job, show) : try await made(request, job, show)
      }
    }
    guard let hit else { return job }
    return Just(hit).setFailureType(to: Error.self).append(job).eraseToAnyPublisher()
  }

  /// ─▶ disk ─▶ ( this image ─▶ decode │ made )
  private func found(
    _ request: ImageRequest, _ job: DynamicPriority, _ show: @escaping Show
  ) async throws(Error) -> DecodedImage {
    guard let stored = try await storedVariant(request) else { return try await made(request, job, show) }
    do throws(Error) {
      return try await decoded(stored, request, target: nil, DecodingSession(), job).found(in: .disk)
    } catch {
      guard error.blamesTheBytes else { throw error }
      await disk.forgetVariant(request)
    }
    return try await made(request, job, show)
  }

  /// ─▶ ( image without its last processor ─▶ process │ original ─▶ decode │ closure )
  private func made(
    _ request: ImageRequest, _ job: DynamicPriority, _ show: @escaping Show
  ) async throws(Error) -> DecodedImage {
    switch ProcessingPlan(request, configuration.dataCachePolicy, memory) {
    case .fail(let error): throw error
    case .decode(let target): return try await decodedOriginal(request, target: target, job, show)
    case .take(let supply, let target): return try await taken(supply, request, target: target, job)
    case .process(let rest, let processor):
      let material = try await result(of: image(rest, memory(rest), job)) { preview in
        // A preview that cannot be processed is left out.
        if let image = try? await processed(preview, by: processor, request, job) { show(image) }
      }
      return try await processed(material, by: processor, request, job)
    }
  }

  /// original ─▶ decode
  private func decodedOriginal(
    _ request: ImageRequest, target: ResizeTarget?, _ job: DynamicPriority, _ show: @escaping Show
  ) async throws(Error) -> DecodedImage {
    let session = DecodingSession()
    let encoded = try await result(of: original(request, job)) { partial in
      if let image = await preview(of: partial, request, target: target, session, job) { show(image) }
    }
    do throws(Error) {
      let image = try await decoded(encoded, request, target: target, session, job)
      return encoded.origin == .disk && !request.isVariant ? image.found(in: .disk) : image
    } catch {
      guard error.blamesTheBytes else { throw error }
      guard encoded.origin == .disk else {
        // The loader may have stored the bytes.
        await load.forget(encoded, for: request)
        throw error
      }
      await disk.forgetOriginal(request)
    }
    return try await decodedOriginal(request.notFromDisk, target: target, job, show)
  }

  /// request ─▶ job( disk │ load ) ─▶ check
  private func original(_ request: ImageRequest, _ waiter: DynamicPriority) -> Originals {
    guard let key = DataJobKey(request, number: number) else {
      return Fail(error: .badURL).eraseToAnyPublisher()
    }
    return originals.publisher(key, for: waiter) { [disk, load, loaded, check, instruments] job in
      taskPublisher { (show: @escaping @Sendable (EncodedImage) -> Void) throws(Error) in
        if DiskPlan.readsOriginal(request) {
          let found = try await instruments.measure(.disk, request) { await disk.original(request) }
          if let found, try await check.accepts(found, for: request, job) { return found.charged(to: loaded) }
        }
        guard !request.options.contains(.returnCacheDataDontLoad) else { throw .dataMissingInCache }
        let listener = LoadStage.Listener(report: { job.report($0) }, show: show)
        let encoded = try await instruments.measure(.load, request) { () throws(Error) in
          try await load(request, job, listener).charged(to: loaded)
        }
        do throws(Error) { return try await check(encoded, for: request, job) } catch {
          if error.blamesTheBytes { await load.forget(encoded, for: request) }
          throw error
        }
      }
    }
  }
}
