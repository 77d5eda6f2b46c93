internal import Foundation

/// EncodedImage ─▶ DecodedImage, on threads that compute, a bounded number of bytes at a time.
struct DecodeStage: Sendable {
  let decoders: [any ImageDecoding]
  let limits: DecodingLimits
  let queue: WorkQueue

  /// - Parameter target: The size to decode to; `nil` for all there is.
  func callAsFunction(
    _ encoded: EncodedImage, for request: ImageRequest, target: ResizeTarget?, _ urgency: Urgency
  ) async throws(ImagePipeline.Error) -> DecodedImage {
    let prefix = encoded.data.prefix(ImageFormat.sniffingLength)
    let format = ImageFormat(sniffing: prefix)
    guard let decoder = decoders.first(where: { $0.canDecode(encoded.data) }) else {
      throw format == nil ? .notAnImage(ContentHint(sniffing: prefix)) : .decoderNotRegistered(format)
    }
    let cost = try cost(
      encoded.data, ImageDecodingContext(request: request, limits: limits, target: target), decoder)
    let image = try await queue.run(urgency, weight: cost) { isCancelled throws(ImagePipeline.Error) in
      let context = ImageDecodingContext(
        request: request, limits: limits, target: target, isCancelled: isCancelled)
      do { return try decoder.decode(encoded.data, context) } catch { throw .init(decoding: error) }
    }
    var decoded = DecodedImage(image, format: format, byteCount: encoded.data.count, url: encoded.url)
    decoded.origin = encoded.origin
    decoded.fresh = encoded.origin == .network ? encoded : nil
    return decoded
  }

  /// Whether the bytes are a picture within the limits, as far as their header says.
  func accepts(_ encoded: EncodedImage, for request: ImageRequest) -> Bool {
    let context = ImageDecodingContext(request: request, limits: limits)
    guard let decoder = decoders.first(where: { $0.canDecode(encoded.data) }),
      let cost = try? decoder.byteCost(of: encoded.data, context)
    else { return false }
    return cost <= limits.maximumDecodedBytes
  }

  private func cost(
    _ data: Data, _ context: ImageDecodingContext, _ decoder: any ImageDecoding
  ) throws(ImagePipeline.Error) -> Int {
    do { return max(0, try decoder.byteCost(of: data, context)) } catch { throw .init(decoding: error) }
  }
}
