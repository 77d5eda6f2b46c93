internal import Foundation

/// EncodedImage ─▶ DecodedImage, at the places of a queue, within a budget of bytes.
struct DecodeStage: Sendable {
  let registry: ImageDecoderRegistry
  let decoders: [any ImageDecoding]
  let delegate: (any ImagePipelineDelegate)?
  let limits: DecodingLimits
  let queue: WorkQueue
  /// Where decoding is done; `nil` for here.
  let isolation: IsolatedDecoders?

  /// - Parameters:
  ///   - target: The size to decode to; `nil` for the full size.
  ///   - session: Holds the decoder that made previews of these bytes.
  func callAsFunction(
    _ encoded: EncodedImage, for request: ImageRequest, target: ResizeTarget?, _ session: DecodingSession,
    _ priority: DynamicPriority
  ) async throws(ImagePipeline.Error) -> DecodedImage {
    do throws(ImagePipeline.Error) {
      return try await decoded(encoded, for: request, target: target, session, priority)
    } catch {
      guard let coding = encoded.contentCoding, error.isCausedByData, ImageFormat(of: encoded.data) == nil
      else { throw error }
      // Truncated, because the server chose it.
      throw .dataLoadingFailed(.unexpectedContentCoding(String(coding.lowercased().prefix(32))))
    }
  }

  private func decoded(
    _ encoded: EncodedImage, for request: ImageRequest, target: ResizeTarget?, _ session: DecodingSession,
    _ priority: DynamicPriority
  ) async throws(ImagePipeline.Error) -> DecodedImage {
    let context = ImageDecodingContext(
      request: request, limits: limits, target: target, contentType: encoded.contentType)
    let format = ImageFormat(of: encoded.data)
    guard let decoder = session.decoder(or: { decoder(for: encoded.data, context) }) else {
      throw .noDecoder(for: encoded.data)
    }
    let cost = try cost(of: encoded.data, decoder, context)
    let image =
      switch decoder.kind {
      case .immediate(let decoder):
        try await queue.run(priority, weight: cost) { isCancelled throws(ImagePipeline.Error) in
          do { return try decoder.decode(encoded.data, context.asking(isCancelled)) } catch {
            throw .init(decoding: error, isCancelled: isCancelled())
          }
        }
      case .asynchronous(let decoder):
        try await queue.hold(priority, weight: cost) { () throws(ImagePipeline.Error) in
          do {
            let isCancelled = CancellationFlag()
            return try await withTaskCancellationHandler {
              try await decoder.decode(encoded.data, context.asking { isCancelled.isSet })
            } onCancel: {
              isCancelled.set()
            }
          } catch {
            throw .init(decoding: error, isCancelled: Task.isCancelled)
          }
        }
      }
    var decoded = DecodedImage(image, format: format, byteCount: encoded.data.count, url: encoded.url)
    if request.keptMetadata.readsFile { decoded.metadata = try await metadata(of: encoded.data, priority) }
    decoded.origin = encoded.origin
    decoded.fileVersion = encoded.fileVersion
    decoded.fresh = encoded.origin.isFresh ? encoded.uncharged : nil
    (decoded.timings, decoded.httpCacheStatus) = (encoded.timings, encoded.httpCacheStatus)
    decoded.wasCoalesced = encoded.wasCoalesced
    return decoded
  }

  /// The metadata of a file; none of formats that only decoders of the program know.
  private func metadata(
    of data: Data, _ priority: DynamicPriority
  ) async throws(ImagePipeline.Error) -> ImageMetadata {
    guard ImageFormat(of: data) != nil else { return ImageMetadata() }
    return try await queue.run(priority) { isCancelled throws(ImagePipeline.Error) in
      do {
        let read = { () throws(ImageCodecError) -> ImageMetadata in
          try data.withBytes { (bytes) throws(ImageCodecError) in
            try ImageMetadata(of: bytes, limits: limits)
          }
        }
        guard let isolation else { return try read() }
        return try isolation.run(data) { images throws(ImageCodecError) in
          try data.withBytes { (bytes) throws(ImageCodecError) in
            try images.metadata(of: bytes, limits: limits, isCancelled: isCancelled)
          }
        } here: { () throws(ImageCodecError) in
          try read()
        }
      } catch {
        throw .init(decoding: error, isCancelled: isCancelled())
      }
    }
  }

  /// Decodes a preview of incomplete bytes; `nil` if there is none, or none is wanted.
  func preview(
    of encoded: EncodedImage, for request: ImageRequest, target: ResizeTarget?, _ session: DecodingSession,
    _ priority: DynamicPriority
  ) async -> DecodedImage? {
    var context = ImageDecodingContext(
      request: request, limits: limits, target: target, isComplete: false, contentType: encoded.contentType)
    let found = session.decoder(or: { decoder(for: encoded.data, context) })
    guard case .immediate(let decoder)? = found?.kind, let isOvertaken = encoded.isOvertaken else {
      return nil
    }
    let policy = session.policy {
      decoder.info(of: encoded.data).flatMap { delegate?.previewPolicy(for: request, $0) }
        ?? decoder.previewPolicy(for: encoded.data)
    }
    context.previewPolicy = policy
    guard policy == .all || (policy == .first || policy == .thumbnail) && !session.hasShown,
      let cost = try? decoder.byteCost(of: encoded.data, context)
    else { return nil }
    let image = try? await queue.run(priority, weight: max(0, cost)) {
      [context] isCancelled throws(ImagePipeline.Error) in
      let isUnwanted: @Sendable () -> Bool = { isCancelled() || isOvertaken.isSet }
      if isUnwanted() { throw .cancelled }
      do { return try decoder.decodePreview(encoded.data, context.asking(isUnwanted)) } catch {
        throw .init(decoding: error, isCancelled: isUnwanted())
      }
    }
    guard let image = image ?? nil, !isOvertaken.isSet else { return nil }
    session.noteShown()
    var decoded = DecodedImage(
      image, format: ImageFormat(of: encoded.data), isPreview: true, byteCount: encoded.data.count,
      url: encoded.url)
    decoded.origin = encoded.origin
    decoded.isOvertaken = isOvertaken
    return decoded
  }

  /// Whether the bytes are an image within the limits, judging by their header.
  func accepts(_ encoded: EncodedImage, for request: ImageRequest) -> Bool {
    guard let cost = try? cost(of: encoded, for: request) else { return false }
    let (limit, isEndless) = limits.maximumDecodedBytes.addingReportingOverflow(limits.maximumWorkingBytes)
    return isEndless || cost <= limit
  }

  /// The memory that decoding needs, in bytes. Throws if the header shows that the bytes cannot be decoded.
  func cost(of encoded: EncodedImage, for request: ImageRequest) throws(ImagePipeline.Error) -> Int {
    let context = ImageDecodingContext(request: request, limits: limits, contentType: encoded.contentType)
    guard let decoder = decoder(for: encoded.data, context) else { throw .noDecoder(for: encoded.data) }
    return try cost(of: encoded.data, decoder, context)
  }

  private func cost(
    of data: Data, _ decoder: AnyImageDecoder, _ context: ImageDecodingContext
  ) throws(ImagePipeline.Error) -> Int {
    do { return max(0, try decoder.byteCost(of: data, context)) } catch {
      throw .init(decoding: error, isCancelled: Task.isCancelled)
    }
  }

  /// Whether a decoder of the program decodes these bytes, and not the included one.
  func hasOwnDecoder(for response: DataResponse) -> Bool {
    let context = ImageDecodingContext(
      request: response.request, limits: limits, contentType: response.contentType)
    return switch found(for: response.data, context)?.kind {
    case nil, .immediate(is ImageDecoders.Default): false
    default: true
    }
  }

  private func decoder(for data: Data, _ context: ImageDecodingContext) -> AnyImageDecoder? {
    found(for: data, context).map { isolation?.isolated($0) ?? $0 }
  }

  private func found(for data: Data, _ context: ImageDecodingContext) -> AnyImageDecoder? {
    registry.decoder(for: data, context)
      ?? decoders.first { $0.canDecode(data) }.map { AnyImageDecoder($0) }
  }
}

extension ImagePipeline.Error {
  fileprivate static func noDecoder(for data: Data) -> Self {
    let hint = ContentHint(sniffing: data.prefix(ImageFormat.sniffingLength))
    return ImageFormat(of: data).map { .decoderNotRegistered($0) } ?? .notAnImage(hint)
  }
}

extension AnyImageDecoder {
  fileprivate func byteCost(of data: Data, _ context: ImageDecodingContext) throws -> Int {
    switch kind {
    case .immediate(let decoder): try decoder.byteCost(of: data, context)
    case .asynchronous(let decoder): try decoder.byteCost(of: data, context)
    }
  }
}
