internal import Foundation
internal import Streams

// The order of the steps. It is defined only here.
//
// Inside a task, work is plain async functions. Steps connect tasks, jobs and requests: while a request waits for another job
// or for its turn, it has no task, because thousands may wait and a task takes tens of kilobytes.
//
//   image      request ─▶ memory ─▶ job( disk ─▶ decode │ made ) ─▶ store ─▶ deliver
//   made       ( image without its last processor ─▶ process │ original ─▶ decode │ closure )
//   original   request ─▶ job( disk │ load ) ─▶ check
//   encoding   request ─▶ job( disk │ image ─▶ encode ) ─▶ store ─▶ deliver
extension ImagePipeline {
  typealias Images = FlowStep<DecodedImage>
  typealias Originals = FlowStep<EncodedImage>

  /// Whether a cached image is the complete response.
  func isComplete(_ hit: DecodedImage, for request: ImageRequest) -> Bool {
    !hit.isPreview && !request.options.contains(.waitForStorage)
  }

  /// request ─▶ image ─▶ store
  func delivered(_ request: ImageRequest, _ hit: DecodedImage?, _ waiter: DynamicPriority) -> Images {
    let (request, permit) = (request.withoutEncoding, permits.permit())
    return stored(
      image(request, hit, waiter).handleOutput { [store] in store($0, for: request, permit) }, request)
  }

  /// request ─▶ original ─▶ store
  func delivered(bytesOf request: ImageRequest, _ waiter: DynamicPriority) -> Originals {
    stored(bytes(of: request, waiter, permits.permit()), request)
  }

  private func bytes(
    of request: ImageRequest, _ waiter: DynamicPriority, _ permit: StorePermit<StorePlace>
  ) -> Originals {
    original(request, waiter).withoutPreviews.handleOutput { [store, decode] encoded in
      if decode.accepts(encoded, for: request) { store(encoded.uncharged, for: request, permit) }
    }
  }

  /// The same for bytes whose header is that of an image.
  private func imageBytes(
    of request: ImageRequest, _ waiter: DynamicPriority, _ permit: StorePermit<StorePlace>
  ) -> Originals {
    bytes(of: request, waiter, permit).flatMap { [self] encoded in
      do throws(Error) {
        _ = try decode.cost(of: encoded, for: request)
        return .just(encoded.named)
      } catch {
        return FlowStep<Void>.task { [self, error] () throws(Error) in
          try await forget(encoded, for: request, error)
        }
        .flatMap { [self] in imageBytes(of: request.notFromDisk, waiter, permit) }
      }
    }
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
      return stored(imageBytes(of: request, waiter, permits.permit()), request)
    }
    // Before the key: a removal in between revokes it, and the key is that of a job that began before.
    let permit = permits.permit()
    guard let key = EncodingJobKey(request, number: number(request.places())) else {
      return .failing(.badURL)
    }
    let variant = encodings.step(key, for: waiter) { [self] job in
      stored(request, job).flatMap { [self] stored in
        if let stored, (try? decode.cost(of: stored, for: request)) != nil {
          return .just(EncodedVariant(stored.named))
        }
        let plain = request.withoutEncoding
        // A stored image is encoded already, and encoding it again would lose quality.
        return image(plain, memory(plain), job, readsDisk: false).withoutPreviews.flatMap { [self] image in
          // Otherwise many more images would be decoded than can be encoded, and would wait in memory.
          let room = decode.queue.occupy(weight: image.image.byteCount)
          return .task { [self] () throws(Error) in
            defer { room.leave() }
            return try await instruments.measure(.encode, request) { () throws(Error) in
              try await store.encoded(image, for: request, job)
            }
          }
        }
      }
    }
    .handleOutput { [store] variant in
      if let decoded = variant.decoded { store(decoded, for: request, permit, encodedAs: variant.encoded) }
    }
    return stored(variant.map { $0.encoded }, request)
  }

  /// request ─▶ memory ─▶ job
  private func image(
    _ request: ImageRequest, _ hit: DecodedImage?, _ waiter: DynamicPriority, readsDisk: Bool = true
  ) -> Images {
    if let hit, !hit.isPreview { return .just(hit) }
    // Other jobs are shared by both.
    let readsVariant = readsDisk && disk.variantKey(request) != nil
    guard let key = ImageJobKey(request, readsVariant: readsVariant, number: number(request.places())) else {
      return .failing(.badURL)
    }
    let job = images.step(key, for: waiter) { [self] job in
      readsVariant ? found(request, job) : made(request, job)
    }
    guard let hit else { return job }
    return FlowStep { run, receive in
      receive(.success(hit))
      job.begin(run, receive)
    }
  }

  /// ─▶ disk ─▶ ( this image ─▶ decode │ made )
  private func found(_ request: ImageRequest, _ job: DynamicPriority) -> Images {
    stored(request, job).flatMap { [self] stored in
      guard let stored else { return made(request, job) }
      return FlowStep<DecodedImage?>.task { [self] () throws(Error) in
        do throws(Error) {
          return try await decoded(stored, request, target: nil, DecodingSession(), job).found(in: .disk)
        } catch {
          guard error.isCausedByData else { throw error }
          await disk.forgetVariant(request)
          return nil
        }
      }
      .flatMap { [self] image in image.map { .just($0) } ?? made(request, job) }
    }
  }

  /// ─▶ ( image without its last processor ─▶ process │ original ─▶ decode │ closure )
  private func made(_ request: ImageRequest, _ job: DynamicPriority) -> Images {
    switch ProcessingPlan(request, configuration.dataCachePolicy, memory) {
    // It fails on a thread of the pipeline.
    case .fail(let error): return .task { () throws(Error) in throw error }
    case .decode(let target): return decodedOriginal(request, target: target, job)
    case .take(let supply, let target):
      return taken(supply, request, target: target, job)
    case .process(let rest, let processor):
      return image(rest, memory(rest), job).inTurn { [self] material in
        .task { [self] () throws(Error) -> DecodedImage? in
          // A preview that cannot be processed is left out.
          if material.isPreview { return try? await processed(material, by: processor, request, job) }
          return try await processed(material, by: processor, request, job)
        }
      }
    }
  }

  /// closure ─▶ image
  private func taken(
    _ supply: @escaping ImageSupply, _ request: ImageRequest, target: ResizeTarget?, _ job: DynamicPriority
  ) -> Images {
    guard !request.options.contains(.returnCacheDataDontLoad) else {
      return .task { () throws(Error) in throw .dataMissingInCache }
    }
    let start = ContinuousClock.now
    return load.turn(request, job).flatMap { [self] turn in
      .task { [self] () throws(Error) in
        let image = try await loading(request, turn, since: start) { () throws(Error) in
          try await load.image(supply, for: request)
        }
        return try await process(image, for: request, target: target, job)
      }
    }
  }

  private enum Decoding: Sendable {
    case image(DecodedImage)
    case damagedOnDisk
  }

  /// original ─▶ decode
  private func decodedOriginal(
    _ request: ImageRequest, target: ResizeTarget?, _ job: DynamicPriority
  ) -> Images {
    let session = DecodingSession()
    return original(request, job).inTurn { [self] encoded in
      .task { [self] () throws(Error) in
        try await decoding(encoded, request, target: target, session, job)
      }
    }
    .flatMap { [self] decoding in
      switch decoding {
      case .image(let image): .just(image)
      // Not before the damaged bytes are released: they may fill the budget that the new load waits for.
      case .damagedOnDisk: decodedOriginal(request.notFromDisk, target: target, job)
      }
    }
  }

  private func decoding(
    _ encoded: EncodedImage, _ request: ImageRequest, target: ResizeTarget?, _ session: DecodingSession,
    _ job: DynamicPriority
  ) async throws(Error) -> Decoding? {
    if encoded.isPreview {
      // A preview that cannot be decoded is left out.
      let preview = try? await instruments.measure(.preview, request) {
        await decode.preview(of: encoded, for: request, target: target, session, job)
      }
      return (preview ?? nil).map { .image($0) }
    }
    do throws(Error) {
      let image = try await decoded(encoded, request, target: target, session, job)
      return .image(encoded.origin == .disk && !request.isVariant ? image.found(in: .disk) : image)
    } catch {
      try await forget(encoded, for: request, error)
      return .damagedOnDisk
    }
  }

  /// Removes bytes that cannot be decoded. Throws the error unless they were on disk: others may be loaded then.
  private func forget(
    _ encoded: EncodedImage, for request: ImageRequest, _ error: Error
  ) async throws(Error) {
    guard error.isCausedByData else { throw error }
    guard encoded.origin == .disk else {
      // The loader may have stored the bytes.
      await load.forget(encoded, for: request)
      throw error
    }
    await disk.forgetOriginal(request)
  }

  /// request ─▶ job( disk │ load ) ─▶ check
  private func original(_ request: ImageRequest, _ waiter: DynamicPriority) -> Originals {
    guard let key = DataJobKey(request, number: number([.original(request.resourceKey)])) else {
      return .failing(.badURL)
    }
    return originals.step(key, for: waiter) { [self] job in
      guard DiskPlan.readsOriginal(request) else { return loadedOriginal(request, job) }
      return lookedUp(job) { [self] () throws(Error) -> EncodedImage? in
        let found = try await instruments.measure(.disk, request) { await disk.original(request) }
        guard let found, try await check.accepts(found, for: request, job) else { return nil }
        return found.charged(to: loaded)
      }
      .flatMap { [self] found in found.map { .just($0) } ?? loadedOriginal(request, job) }
    }
  }

  /// ─▶ load ─▶ check
  private func loadedOriginal(_ request: ImageRequest, _ job: DynamicPriority) -> Originals {
    guard !request.options.contains(.returnCacheDataDontLoad) else {
      return .task { () throws(Error) in throw .dataMissingInCache }
    }
    let start = ContinuousClock.now
    return load.turn(request, job).flatMap { [self] turn in
      .task { [self] (show: @escaping @Sendable (EncodedImage) -> Void) throws(Error) in
        let listener = LoadStage.Listener(report: { job.report($0) }, show: show)
        let encoded = try await loading(request, turn, since: start) { () throws(Error) in
          try await load(request, job, listener)
        }
        .charged(to: loaded)
        do throws(Error) { return try await check(encoded, for: request, job) } catch {
          if error.isCausedByData { await load.forget(encoded, for: request) }
          throw error
        }
      }
    }
  }

  /// Loads with the places of a turn, and leaves them.
  private func loading<Value: Sendable>(
    _ request: ImageRequest, _ turn: LoadTurn, since start: ContinuousClock.Instant,
    _ work: () async throws(Error) -> Value
  ) async throws(Error) -> Value {
    try await instruments.measure(.load, request, since: start) { () throws(Error) in
      defer { turn.leave() }
      return try await turn.run(work)
    }
  }

  /// The encoded image on disk, if it may be read. What it is made into then needs no place among the lookups.
  private func stored(_ request: ImageRequest, _ job: DynamicPriority) -> FlowStep<EncodedImage?> {
    guard let key = disk.variantKey(request) else { return .just(nil) }
    return lookedUp(job) { [self] () throws(Error) in
      try await instruments.measure(.disk, request) { await disk.read(key, for: request) }?.charged(
        to: loaded)
    }
  }

  /// Looks for something in the caches, once it is its turn.
  private func lookedUp<Found: Sendable>(
    _ job: DynamicPriority, _ look: @escaping @Sendable () async throws(Error) -> Found
  ) -> FlowStep<Found> {
    lookups.place(job).flatMap { place in
      .task { () throws(Error) in
        defer { place.leave() }
        return try await look()
      }
    }
  }
}
