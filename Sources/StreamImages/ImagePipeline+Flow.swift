internal import Foundation
internal import Streams

// The order of things. Nobody else knows it.
//
//   image      request ─▶ memory ─▶ job( disk ─▶ decode │ made ) ─▶ store ─▶ deliver
//   made       ( image without its last processor ─▶ process │ original ─▶ decode │ closure )
//   original   request ─▶ job( disk │ load ) ─▶ check
extension ImagePipeline {
  typealias Images = AnyPublisher<DecodedImage, Error>
  typealias Originals = AnyPublisher<EncodedImage, Error>

  /// request ─▶ image ─▶ store
  func delivered(_ request: ImageRequest, _ waiter: Urgency) -> Images {
    stored(
      image(request, waiter).handleEvents(receiveOutput: { [store] in store($0, for: request) }), request)
  }

  /// request ─▶ original ─▶ store
  func delivered(bytesOf request: ImageRequest, _ waiter: Urgency) -> Originals {
    let bytes = original(request, waiter).filter { !$0.isPreview }
      .handleEvents(receiveOutput: { [store, decode] encoded in
        if decode.accepts(encoded, for: request) { store(encoded, for: request) }
      })
    return stored(bytes, request)
  }

  private func stored<Source: Publisher>(
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

  /// request ─▶ memory ─▶ job
  private func image(_ request: ImageRequest, _ waiter: Urgency) -> Images {
    let hit = memory(request)
    if let hit, !hit.isPreview { return Just(hit).setFailureType(to: Error.self).eraseToAnyPublisher() }
    guard let key = ImageJobKey(request, number: number) else {
      return Fail(error: .badURL).eraseToAnyPublisher()
    }
    let job = images.publisher(key, for: waiter) { [self] job in found(request, job) }
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
      return image(rest, job)
        .flatMap(maxPublishers: .max(1)) { [self] material in processed(material, by: processor, request, job)
        }
        .eraseToAnyPublisher()
    }
  }

  /// image ─▶ process. A preview that cannot be processed is left out.
  private func processed(
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
  private func taken(
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

  /// original ─▶ decode
  private func decodedOriginal(_ request: ImageRequest, target: ResizeTarget?, _ job: Urgency) -> Images {
    let session = DecodingSession()
    return original(request, job)
      // One at a time: of the previews that come in between, the latest waits, and the end goes before them all.
      .flatMap(maxPublishers: .max(1)) { [self] encoded -> Images in
        if encoded.isPreview { return preview(of: encoded, request, target: target, session, job) }
        let image = decoded(encoded, request, target: target, session, job)
        guard encoded.origin == .disk else { return image }
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
    return originals.publisher(key, for: waiter) { [disk, load, check, instruments] job in
      eventually { (show: @escaping @Sendable (EncodedImage) -> Void) throws(Error) in
        if DiskPlan.readsOriginal(request) {
          let found = try await instruments.measure(.disk, request) { await disk.original(request) }
          if let found, try await check.accepts(found, for: request, job) { return found }
        }
        guard !request.options.contains(.returnCacheDataDontLoad) else { throw .dataMissingInCache }
        let listener = LoadStage.Listener(report: { job.report($0) }, show: show)
        let loaded = try await instruments.measure(.load, request) { () throws(Error) in
          try await load(request, job, listener)
        }
        return try await check(loaded, for: request, job)
      }
    }
  }

  private func decoded(
    _ encoded: EncodedImage, _ request: ImageRequest, target: ResizeTarget?, _ session: DecodingSession,
    _ job: Urgency
  ) -> Images {
    eventually { [decode, instruments] () throws(Error) in
      try await instruments.measure(.decode, request) { () throws(Error) in
        try await decode(encoded, for: request, target: target, session, job)
      }
    }
  }

  private func preview(
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
  private func recovered(
    from error: Error, forgetting forget: @escaping @Sendable () async -> Void, _ next: @escaping () -> Images
  ) -> Images {
    guard error.blamesTheBytes else { return Fail(error: error).eraseToAnyPublisher() }
    return eventually { () throws(Error) in await forget() }.flatMap { next() }.eraseToAnyPublisher()
  }

  /// What sets a job apart from all others, if work is not to be shared.
  private var number: UInt64? {
    if configuration.isCoalescingEnabled { return nil }
    return numbers.withLock { number in
      number += 1
      return number
    }
  }
}

extension ImagePipeline.Error {
  fileprivate static var badURL: Self { .dataLoadingFailed(.badURL("")) }
}

extension DecodedImage {
  fileprivate func found(in source: CacheSource) -> DecodedImage {
    var found = self
    found.hit = source
    return found
  }
}

extension ImageRequest {
  fileprivate var notFromDisk: ImageRequest {
    var request = self
    request.options.insert(.disableDiskCacheReads)
    return request
  }
}
