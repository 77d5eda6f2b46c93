package import Foundation
package import ImageCodecs
internal import Streams

/// The decoders of a pipeline that decodes images, or some formats, in worker processes.
package final class IsolatedDecoders: Sendable {
  private let settings: WorkerSettings
  let images: IsolatedImageDecoder
  private let drawings: IsolatedImageDecoder
  private let isUnavailable = Guarded(false)
  private let notice: FallbackNotice

  package init?(_ isolation: DecodingIsolation, limits: DecodingLimits, notice: FallbackNotice = .shared) {
    guard case .process(let settings) = isolation else { return nil }
    (self.settings, self.notice) = (settings, notice)
    images = IsolatedImageDecoder(settings, limits: limits)
    // Other processes, as they have other libraries. None is started before there is a drawing.
    drawings = IsolatedImageDecoder(drawingBy: settings, limits: limits)
  }

  /// Calls `there` with the workers, or `here` for a format that is decoded in the program, and where no worker can be started
  /// if the settings allow that.
  package func run<Value>(
    _ data: Data, there: (IsolatedImageDecoder) throws(ImageCodecError) -> Value,
    here: () throws(ImageCodecError) -> Value
  ) throws(ImageCodecError) -> Value {
    if let formats = settings.formats {
      let format = ImageFormat(of: data)
      guard let format, formats.contains(format), !isUnavailable.withLock({ $0 }) else { return try here() }
    }
    do throws(ImageCodecError) {
      return try there(images)
    } catch {
      guard settings.fallsBackToProgram, case .isolationUnavailable(let reason) = error, reason.isPermanent
      else { throw error }
      isUnavailable.withLock { $0 = true }
      notice.write(reason)
    }
    return try here()
  }

  var startedWorkerCount: Int { images.startedWorkerCount + drawings.startedWorkerCount }

  /// The decoder to call in place of this one.
  func isolated(_ decoder: AnyImageDecoder) -> AnyImageDecoder {
    switch decoder.kind {
    case .immediate(let decoder as ImageDecoders.Default):
      AnyImageDecoder(IsolatedDefault(decoder: decoder, isolation: self))
    // Drawings have workers in any case, unless their renderer says otherwise.
    case .immediate(let decoder as SVGDecoder) where settings.formats == nil:
      AnyImageDecoder(IsolatedSVG(decoder: decoder, drawings: drawings))
    case .immediate(let decoder): foreign(decoder) ?? AnyImageDecoder(decoder)
    case .asynchronous(let decoder): foreign(decoder) ?? AnyImageDecoder(decoder)
    }
  }

  private func foreign(_ decoder: Any) -> AnyImageDecoder? {
    settings.allowsForeignDecoders || decoder is SVGDecoder
      ? nil : AnyImageDecoder(RefusedDecoder(name: String(describing: type(of: decoder))))
  }
}

/// Reads headers here, in Swift that checks every bound, and decodes elsewhere.
private struct IsolatedDefault: ImageDecoding {
  let decoder: ImageDecoders.Default
  let isolation: IsolatedDecoders

  func canDecode(_ data: Data) -> Bool { decoder.canDecode(data) }
  func info(of data: Data) -> ImageInfo? { decoder.info(of: data) }

  func byteCost(of data: Data, _ context: ImageDecodingContext) throws -> Int {
    try decoder.byteCost(of: data, context)
  }

  func decodePreview(_ data: Data, _ context: ImageDecodingContext) throws -> Image? {
    let options = decoder.options(context)
    return try isolation.run(data) { images throws(ImageCodecError) in
      try data.withBytes { (bytes) throws(ImageCodecError) -> Image? in
        if context.previewPolicy == .thumbnail {
          return try images.embeddedThumbnail(of: bytes, options: options, isCancelled: context.isCancelled)
        }
        return try images.decodeAvailable(bytes, options: options, isCancelled: context.isCancelled).image
      }
    } here: { () throws(ImageCodecError) in
      try decoder.preview(data, context)
    }
  }

  func decode(_ data: Data, _ context: ImageDecodingContext) throws -> Image {
    let options = decoder.options(context)
    return try isolation.run(data) { images throws(ImageCodecError) in
      try data.withBytes { (bytes) throws(ImageCodecError) in
        try images.decode(bytes, options: options, isCancelled: context.isCancelled)
      }
    } here: { () throws(ImageCodecError) in
      try decoder.image(data, context)
    }
  }
}

private struct IsolatedSVG: ImageDecoding {
  let decoder: SVGDecoder
  let drawings: IsolatedImageDecoder

  /// The assumed size of a drawing if only librsvg can determine it.
  private static let usualPixelCount = 2048.0 * 2048

  func canDecode(_ data: Data) -> Bool { decoder.canDecode(data) }

  func byteCost(of data: Data, _ context: ImageDecodingContext) throws -> Int {
    let sides = context.target.map { ($0.width ?? $0.height ?? 0, $0.height ?? $0.width ?? 0) }
    let pixelCount = sides.map { $0.0 * $0.1 } ?? Self.usualPixelCount
    let bytes = pixelCount * 12 + Double(data.count) * 16
    return bytes.isFinite && bytes >= 0 && bytes < 1e15 ? Int(bytes) : .max
  }

  func decode(_ data: Data, _ context: ImageDecodingContext) throws -> Image {
    try data.withUnsafeBytes { (bytes) throws(ImageCodecError) in
      try drawings.drawing(
        bytes, decoder.renderer, options: decoder.options(context),
        isCancelled: context.isCancelled)
    }
  }
}

/// Replaces a decoder that would run in the program. It refuses every image.
private struct RefusedDecoder: ImageDecoding {
  let name: String

  func canDecode(_ data: Data) -> Bool { true }
  func byteCost(of data: Data, _ context: ImageDecodingContext) throws -> Int { throw refusal }
  func decode(_ data: Data, _ context: ImageDecodingContext) throws -> Image { throw refusal }

  private var refusal: ImageCodecError { .isolationUnavailable(.foreignDecoder(name)) }
}

/// Says once that images are decoded in the program, because no worker can be started.
package struct FallbackNotice: Sendable {
  package static let shared = FallbackNotice { FileHandle.standardError.write(Data($0.utf8)) }

  private let output: @Sendable (String) -> Void
  private let isWritten = Guarded(false)

  package init(_ output: @escaping @Sendable (String) -> Void) { self.output = output }

  package func write(_ reason: IsolationFailure) {
    let isFirst = isWritten.withLock { isWritten in
      defer { isWritten = true }
      return !isWritten
    }
    guard isFirst else { return }
    output(
      """
      StreamImages decodes HEIC, AVIF, JPEG XL and TIFF in this program, and not in worker processes: \(reason). \
      If that is intended, set decodingIsolation to .none.

      """)
  }
}

extension ImagePipeline {
  /// Returns the restrictions that the system enforces for the processes that decode images of this pipeline. Returns
  /// `nil` if all images are decoded in the program by its configuration.
  ///
  /// Starts a worker if there is none, and waits for it. Throws ``Error/decodingFailed(_:)`` if no worker can be
  /// started. Call it when your server starts, and print the result.
  public func decodingProtections() throws(Error) -> ImageWorker.Protections? {
    do throws(ImageCodecError) {
      return try decode.isolation?.images.protections()
    } catch {
      throw .decodingFailed(error)
    }
  }

  /// The number of worker processes that were started for images and drawings of this pipeline. 0 without isolation.
  ///
  /// If it grows with each image, workers crash or are replaced: see `error.code` of the failures.
  public var startedWorkerCount: Int { decode.isolation?.startedWorkerCount ?? 0 }
}
