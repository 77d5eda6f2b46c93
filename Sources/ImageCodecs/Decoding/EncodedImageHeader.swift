/// The header of a file, and what its format does with the rest. Each format that is decoded implements it.
protocol EncodedImageHeader {
  /// The metadata in the header.
  var info: ImageInfo { get }

  /// Decodes the pixels as stored, at full size or reduced.
  func decode(_ job: DecodingJob) throws(ImageCodecError) -> StoredImage

  /// The decoded pixels, and the peak memory of the library, in bytes.
  func decodingCost(_ resize: ResizePlan, _ options: DecodingOptions) -> Int

  /// The size that is decoded for a plan; `nil` if the file is always decoded completely.
  func reducedSize(for resize: ResizePlan, within limits: DecodingLimits) -> PixelSize?

  /// The small image that the file contains beside its own, with its bytes; `nil` if there is none.
  var embeddedThumbnail: (header: any EncodedImageHeader, bytes: ByteView)? { get }

  /// The gain map that the file contains; `nil` if there is none.
  func gainMap(in file: ByteView) -> EncodedGainMap?

  /// `nil` if the file is a still image.
  func animation(
    of file: FrameFile, limits: DecodingLimits, watch: DecodingWatch
  ) throws(ImageCodecError) -> Animation?
}

/// What most formats lack.
extension EncodedImageHeader {
  func reducedSize(for resize: ResizePlan, within limits: DecodingLimits) -> PixelSize? { nil }

  var embeddedThumbnail: (header: any EncodedImageHeader, bytes: ByteView)? { nil }

  func gainMap(in file: ByteView) -> EncodedGainMap? { nil }

  func animation(
    of file: FrameFile, limits: DecodingLimits, watch: DecodingWatch
  ) throws(ImageCodecError) -> Animation? { nil }
}

/// The input of a decoder.
struct DecodingJob {
  let bytes: ByteView
  /// How the stored pixels will be resized.
  let resize: ResizePlan
  let limits: DecodingLimits
  var keepsDepth = false
  let isStrict: Bool
  let watch: DecodingWatch
}

/// The output of a decoder: pixels that are not rotated yet, possibly reduced, and the remaining work.
struct StoredImage {
  var image: Image
  var resize: ResizePlan
  var isComplete: Bool
  /// The colors of an HDR image that is to be shown in SDR.
  var hdr: CodedColors?
  /// The profile of gray that has become RGB.
  var grayProfile: ICCProfile?
}
