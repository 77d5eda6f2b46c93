import CSandbox

/// Memory that a program and its worker have mapped, or can map. Its descriptor is closed with it.
package struct SharedMemory: ~Copyable {
  let descriptor: Int32
  let byteCount: Int

  /// Memory for a file of at most so many bytes, which the program never reads again.
  init(fileOf count: Int) throws(ImageCodecError) {
    byteCount = count + MemoryLayout<Int64>.size
    descriptor = sandbox_make_input(byteCount)
    if descriptor < 0 { throw .outOfMemory }
  }

  /// Writes a file, and a number behind it.
  package static func fill(
    _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer?, proof: Int64
  ) throws(ImageCodecError) {
    let count = bytes?.count ?? 0
    switch sandbox_fill(descriptor, 0, bytes?.baseAddress, count) {
    case 0: break
    case badAddress: throw .corrupt("the file became shorter while it was read")
    default: throw .outOfMemory
    }
    let status = withUnsafeBytes(of: proof.littleEndian) {
      sandbox_fill(descriptor, count, $0.baseAddress, $0.count)
    }
    if status != 0 { throw .outOfMemory }
  }

  private static let badAddress: Int32 = -14

  /// Nothing yet. No page is taken before it is written to.
  init(byteCount: Int) throws(ImageCodecError) {
    descriptor = sandbox_make_output(byteCount)
    self.byteCount = byteCount
    if descriptor < 0 { throw .outOfMemory }
  }

  deinit { sandbox_close(descriptor) }

  /// Returns the image that a worker claims to have stored, if the worker can no longer change it.
  ///
  /// - Parameter options: Contains the limits for the image. An image beyond them is refused.
  borrowing func image(
    _ claim: WorkerReply.Claim, options: DecodingOptions
  ) throws(ImageCodecError) -> Image {
    let (size, limits) = (claim.size, options.limits)
    guard size.width >= 1, size.height >= 1, size.width <= Image.maximumSide,
      size.height <= Image.maximumSide, let count = size.pixelCount, count <= limits.maximumPixels,
      count <= limits.maximumDecodedBytes / claim.pixelFormat.bytesPerPixel,
      !claim.pixelFormat.isWide || options.keepsDepth
    else { throw .decoderMisbehaved("it claims an image beyond the limits") }
    let pixelCount = count * claim.pixelFormat.bytesPerPixel
    try checkPlace(claim.offset, pixelCount)
    try checkPlace(claim.profileOffset, claim.profileCount)
    let mapCount = try checkedByteCount(claim.gainMap, of: size, options: options)
    // Besides the image and its profile, what lies in a page that was touched.
    try checkSealed(holding: pixelCount + mapCount + claim.profileCount)
    let colors = try colorSpace(claim, options: options)
    let buffer = try PixelBuffer(sealed: descriptor, offset: claim.offset, byteCount: pixelCount)
    var image = Image(
      width: size.width, height: size.height, pixelFormat: claim.pixelFormat, colorSpace: colors,
      scale: options.scale, pixels: buffer)
    image.gainMap = try gainMap(claim.gainMap, byteCount: mapCount)
    return image
  }

  /// Returns bytes that a worker claims to have stored, if the worker can no longer change them.
  borrowing func bytes(offset: Int, count: Int) throws(ImageCodecError) -> [UInt8] {
    try checkPlace(offset, count)
    try checkSealed(holding: count)
    var bytes = [UInt8](repeating: 0, count: count)
    let status = bytes.withUnsafeMutableBytes { sandbox_copy(descriptor, offset, $0.baseAddress, $0.count) }
    guard status == 0 else { throw .outOfMemory }
    return bytes
  }

  private borrowing func checkSealed(holding count: Int) throws(ImageCodecError) {
    switch sandbox_check_sealed(descriptor, byteCount, count + SharedMemory.slack) {
    case SandboxMemoryIsRight: break
    case SandboxMemoryIsLarge: throw .decoderMisbehaved("it keeps more memory than the image has")
    default: throw .decoderMisbehaved("it can still write to the image")
    }
  }

  /// The size of the gain map, which is 0 without one. It is never larger than the image.
  private borrowing func checkedByteCount(
    _ claim: WorkerReply.GainMapClaim?, of size: PixelSize, options: DecodingOptions
  ) throws(ImageCodecError) -> Int {
    guard let claim else { return 0 }
    guard options.keepsGainMap, (1...size.width).contains(claim.size.width),
      (1...size.height).contains(claim.size.height)
    else { throw .decoderMisbehaved("it claims a gain map beyond the limits") }
    let count = claim.size.width * claim.size.height * claim.pixelFormat.bytesPerPixel
    try checkPlace(claim.offset, count)
    return count
  }

  private borrowing func gainMap(
    _ claim: WorkerReply.GainMapClaim?, byteCount: Int
  ) throws(ImageCodecError) -> GainMap? {
    guard let claim else { return nil }
    let buffer = try PixelBuffer(sealed: descriptor, offset: claim.offset, byteCount: byteCount)
    let image = Image(
      width: claim.size.width, height: claim.size.height, pixelFormat: claim.pixelFormat,
      colorSpace: .untagged, scale: 1, pixels: buffer)
    guard let gainMap = try? GainMap(image: image, metadata: claim.metadata) else {
      throw .decoderMisbehaved("it claims a gain map that is none")
    }
    return gainMap
  }

  /// Frees all of it, whoever has it. Returns false if a worker can still write to it, or has left something in it.
  borrowing func reclaim() -> Bool { sandbox_reclaim(descriptor, byteCount) }

  private static let slack = 1 << 20

  /// So many bytes must lie at this offset, which is that of a page. Numbers of a message are not negative.
  private borrowing func checkPlace(_ offset: Int, _ count: Int) throws(ImageCodecError) {
    guard offset % 4096 == 0, count <= byteCount - offset else {
      throw .decoderMisbehaved("it claims memory that there is not")
    }
  }

  private borrowing func colorSpace(
    _ claim: WorkerReply.Claim, options: DecodingOptions
  ) throws(ImageCodecError) -> Image.ColorSpace {
    switch claim.colors {
    case .sRGB: return .sRGB
    case .untagged: return .untagged
    case .profile:
      // With this setting, a worker has applied the profile or dropped it.
      guard options.colors == .asStored else { throw .decoderMisbehaved("it kept a color profile") }
      guard claim.profileCount > 0, claim.profileCount <= options.limits.maximumMetadataBytes else {
        throw .decoderMisbehaved("it claims a color profile beyond the limits")
      }
      var bytes = [UInt8](repeating: 0, count: claim.profileCount)
      let status = bytes.withUnsafeMutableBytes {
        sandbox_copy(descriptor, claim.profileOffset, $0.baseAddress, $0.count)
      }
      guard status == 0, let profile = ICCProfile(bytes: bytes), profile.describes(claim.pixelFormat) else {
        throw .decoderMisbehaved("it claims a color profile that is none")
      }
      return .profile(profile)
    }
  }
}
