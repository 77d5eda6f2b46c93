internal import Foundation
internal import Streams

// The order of things. Nobody else knows it.
//
//   image      request ─▶ memory ─▶ job( disk ─▶ decode │ made ) ─▶ store ─▶ deliver
//   made       ( image without its last processor ─▶ process │ original ─▶ decode │ closure )
//   original   request ─▶ job( disk │ load ) ─▶ check
//   encoding   request ─▶ job( disk │ image ─▶ encode ) ─▶ store ─▶ deliver
extension ImagePipeline {
  typealias Images = AnyPublisher<DecodedImage, Error>
  typealias Originals = AnyPublisher<EncodedImage, Error>

  /// request ─▶ memory, and that is all.
  func isAll(_ hit: DecodedImage, of request: ImageRequest) -> Bool {
    !hit.isPreview && !request.options.contains(.waitForStorage)
  }

  /// request ─▶ image ─▶ store
  func delivered(_ request: ImageRequest, _ hit: DecodedImage?, _ waiter: Urgency) -> Images {
    let (request, permit) = (request.withoutEncoding, permits.permit())
    return stored(
      image(request, hit, waiter).handleEvents(receiveOutput: { [store] in store($0, for: request, permit) }),
      request)
  }

  /// request ─▶ original ─▶ store
  func delivered(bytesOf request: ImageRequest, _ waiter: Urgency) -> Originals {
    let permit = permits.permit()
    let bytes = original(request, waiter).filter { !$0.isPreview }
      .handleEvents(receiveOutput: { [store, decode] encoded in
        if decode.accepts(encoded, for: request) { store(encoded.uncharged, for: request, permit) }
      })
    return stored(bytes, request)
  }

  /// request ─▶ memory of encoded images, and that is all.
  func encodedHit(_ request: ImageRequest) -> DataResponse? {
    guard request.isEncodedAnew, !request.options.contains(.waitForStorage), !isInvalidated.isSet,
      let found = disk.immediateVariant(request), (try? decode.cost(of: found, for: request)) != nil
    else { return nil }
    return DataResponse(request: request, encoded: found.named)
  }

  /// request ─▶ encoding ─▶ store; of a request that changes nothing, the original.
  func delivered(encodingOf request: ImageRequest, _ waiter: Urgency) -> Originals {
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
    let variant = encodings.publisher(key, for: waiter) { [self] job in encoded(request, job) }
      .handleEvents(receiveOutput: { [store] variant in
        if let decoded = variant.decoded {
          store(decoded, for: request, permit, encodedAs: variant.encoded)
        }
      })
    return stored(variant.map(\.encoded), request)
  }

  /// ─▶ disk │ image ─▶ encode
  private func encoded(_ request: ImageRequest, _ job: Urgency) -> AnyPublisher<EncodedVariant, Error> {
    eventually { [disk, instruments] () throws(Error) in
      try await instruments.measure(.disk, request) { await disk.variant(request) }
    }
    .flatMap { [self] stored -> AnyPublisher<EncodedVariant, Error> in
      if let stored, (try? decode.cost(of: stored, for: request)) != nil {
        return Just(EncodedVariant(stored.named)).setFailureType(to: Error.self).eraseToAnyPublisher()
      }
      // Many more images than can be encoded would be decoded meanwhile, and wait for that in memory.
      return eventually { [self] () throws(Error) in
        try await makingOfHosts.hold(request.host, job) { () throws(Error) in
          try await making.hold(job) { () throws(Error) in try await lastValue(of: encodedAnew(request, job))
          }
        }
      }
    }
    .eraseToAnyPublisher()
  }

  /// ─▶ image ─▶ encode
  private func encodedAnew(_ request: ImageRequest, _ job: Urgency) -> AnyPublisher<EncodedVariant, Error> {
    let plain = request.withoutEncoding
    // What the disk has of it is an encoded image, and encoding that again would lose more.
    return image(plain, memory(plain), job, readsDisk: false).filter { !$0.isPreview }
      .flatMap(maxPublishers: .max(1)) { [self] decoded in encoded(decoded, request, job) }
      .eraseToAnyPublisher()
  }

  /// request ─▶ memory ─▶ job
  private func image(
    _ request: ImageRequest, _ hit: DecodedImage?, _ waiter: Urgency, readsDisk: Bool = true
  ) -> Images {
    if let hit, !hit.isPreview { return Just(hit).setFailureType(to: Error.self).eraseToAnyPublisher() }
    guard let key = ImageJobKey(request, number: number) else {
      return Fail(error: .badURL).eraseToAnyPublisher()
    }
    let job = images.publisher(key, for: waiter) { [self] job in
      readsDisk ? found(request, job) : made(request, job)
    }
    guard let hit else { return job }
    return Just(hit).setFailureType(to: Error.self).append(job).eraseToAnyPublisher()
  }

  /// ─▶ disk ─▶ ( this very picture ─▶ decode │ made )
  private func found(_ request: ImageRequest, _ job: Urgency) -> Images {
    guard DiskPlan.readsVariant(request, configuration.dataCachePolicy) else { return made(request, job) }
    return eventually { [disk, instruments] () throws(Error) in
      try await instruments.measure(.disk, request) { await disk.variant(request) }
    }
    .flatMap { [self] variant -> Images in
      guard let variant else { return made(request, job) }
      return decoded(variant, request, target: nil, DecodingSession(), job)
        .map { $0.found(in: .disk) }
        .catch { [self] error in
          recovered(from: error, forgetting: { [disk] in await disk.forgetVariant(request) }) { [self] in
            made(request, job)
          }
        }
        .eraseToAnyPublisher()
    }
    .eraseToAnyPublisher()
  }

  /// ─▶ ( image without its last processor ─▶ process │ original ─▶ decode │ closure )
  private func made(_ request: ImageRequest, _ job: Urgency) -> Images {
    switch Recipe(request, configuration.dataCachePolicy, memory) {
    case .fail(let error): return Fail(error: error).eraseToAnyPublisher()
    case .decode(let target): return decodedOriginal(request, target: target, job)
    case .take(let supply, let target): return taken(supply, request, target: target, job)
    case .process(let rest, let processor):
      return image(rest, memory(rest), job)
        .flatMap(maxPublishers: .max(1)) { [self] material in processed(material, by: processor, request, job)
        }
        .eraseToAnyPublisher()
    }
  }

  /// original ─▶ decode
  private func decodedOriginal(_ request: ImageRequest, target: ResizeTarget?, _ job: Urgency) -> Images {
    let session = DecodingSession()
    return original(request, job)
      // One at a time: of the previews that come in between, the latest waits, and the end goes before them all.
      .flatMap(maxPublishers: .max(1)) { [self] encoded -> Images in
        if encoded.isPreview { return preview(of: encoded, request, target: target, session, job) }
        let image = decoded(encoded, request, target: target, session, job)
        guard encoded.origin == .disk else {
          return image.catch { [self] error in refused(encoded, error, request) }.eraseToAnyPublisher()
        }
        return
          image
          .map { request.isVariant ? $0 : $0.found(in: .disk) }
          .catch { [self] error in
            recovered(from: error, forgetting: { [disk] in await disk.forgetOriginal(request) }) { [self] in
              decodedOriginal(request.notFromDisk, target: target, job)
            }
          }
          .eraseToAnyPublisher()
      }
      .eraseToAnyPublisher()
  }

  /// request ─▶ job( disk │ load ) ─▶ check
  private func original(_ request: ImageRequest, _ waiter: Urgency) -> Originals {
    guard let key = DataJobKey(request, number: number) else {
      return Fail(error: .badURL).eraseToAnyPublisher()
    }
    return originals.publisher(key, for: waiter) { [disk, load, loaded, check, instruments] job in
      eventually { (show: @escaping @Sendable (EncodedImage) -> Void) throws(Error) in
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
