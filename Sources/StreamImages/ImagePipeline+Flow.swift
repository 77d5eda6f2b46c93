internal import Foundation
internal import Streams

// The order of things. Nobody else knows it.
//
//   image      request ─▶ memory ─▶ job( disk ─▶ decode │ made ) ─▶ store ─▶ deliver
//   made       ( image without its last processor ─▶ process │ original ─▶ decode )
//   original   request ─▶ job( disk │ load )
extension ImagePipeline {
  typealias Images = AnyPublisher<DecodedImage, Error>
  typealias Originals = AnyPublisher<EncodedImage, Error>

  /// request ─▶ image ─▶ store
  func delivered(_ request: ImageRequest, _ waiter: Urgency) -> Images {
    image(request, waiter).handleEvents(receiveOutput: { [store] in store($0, for: request) })
      .eraseToAnyPublisher()
  }

  /// request ─▶ original ─▶ store
  func delivered(bytesOf request: ImageRequest, _ waiter: Urgency) -> Originals {
    original(request, waiter).handleEvents(receiveOutput: { [store, decode] encoded in
      if decode.accepts(encoded, for: request) { store(encoded, for: request) }
    })
    .eraseToAnyPublisher()
  }

  /// request ─▶ memory ─▶ job
  private func image(_ request: ImageRequest, _ waiter: Urgency) -> Images {
    let hit = memory(request)
    if let hit, !hit.isPreview { return Just(hit).setFailureType(to: Error.self).eraseToAnyPublisher() }
    guard let key = ImageJobKey(request) else { return Fail(error: .badURL).eraseToAnyPublisher() }
    let job = images.publisher(key, for: waiter) { [self] job in found(request, job) }
    guard let hit else { return job }
    return Just(hit).setFailureType(to: Error.self).append(job).eraseToAnyPublisher()
  }

  /// ─▶ disk ─▶ ( this very picture ─▶ decode │ made )
  private func found(_ request: ImageRequest, _ job: Urgency) -> Images {
    eventually { [disk] () throws(Error) in await disk.variant(request) }
      .flatMap { [self] variant -> Images in
        guard let variant else { return made(request, job) }
        return decoded(variant, request, target: nil, job)
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

  /// ─▶ ( image without its last processor ─▶ process │ original ─▶ decode )
  private func made(_ request: ImageRequest, _ job: Urgency) -> Images {
    switch Recipe(request, configuration.dataCachePolicy, memory) {
    case .fail(let error): return Fail(error: error).eraseToAnyPublisher()
    case .decode(let target): return decodedOriginal(request, target: target, job)
    case .process(let rest, let processor):
      return image(rest, job)
        .flatMap { [process] material in
          eventually { () throws(Error) in try await process(material, by: processor, for: request, job) }
        }
        .eraseToAnyPublisher()
    }
  }

  /// original ─▶ decode
  private func decodedOriginal(_ request: ImageRequest, target: ResizeTarget?, _ job: Urgency) -> Images {
    original(request, job)
      .flatMap { [self] encoded -> Images in
        let image = decoded(encoded, request, target: target, job)
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

  /// request ─▶ job( disk │ load )
  private func original(_ request: ImageRequest, _ waiter: Urgency) -> Originals {
    guard let key = DataJobKey(request) else { return Fail(error: .badURL).eraseToAnyPublisher() }
    return originals.publisher(key, for: waiter) { [disk, load] job in
      eventually { () throws(Error) in
        if let found = await disk.original(request) { return found }
        guard !request.options.contains(.returnCacheDataDontLoad) else { throw .dataMissingInCache }
        return try await load(request, job)
      }
    }
  }

  private func decoded(
    _ encoded: EncodedImage, _ request: ImageRequest, target: ResizeTarget?, _ job: Urgency
  ) -> Images {
    eventually { [decode] () throws(Error) in try await decode(encoded, for: request, target: target, job) }
  }

  /// What the disk had was of no use: away with it, and on as if it had not been there.
  private func recovered(
    from error: Error, forgetting forget: @escaping @Sendable () async -> Void, _ next: @escaping () -> Images
  ) -> Images {
    guard error.blamesTheBytes else { return Fail(error: error).eraseToAnyPublisher() }
    return eventually { () throws(Error) in await forget() }.flatMap { next() }.eraseToAnyPublisher()
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
