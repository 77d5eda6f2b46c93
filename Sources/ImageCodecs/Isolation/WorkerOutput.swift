import CCodecs
import CSandbox

/// The program's memory for pixels, in the worker.
struct WorkerOutput {
  private let memory: UnsafeMutableRawPointer
  private let byteCount: Int
  private let descriptor: Int32

  init(_ descriptor: Int32, byteCount: Int) throws(ImageCodecError) {
    guard let memory = sandbox_map_output(descriptor, byteCount) else { throw .outOfMemory }
    (self.memory, self.byteCount, self.descriptor) = (memory, byteCount, descriptor)
  }

  /// Lends the memory to decoders, so that images need not be copied. None of them may be kept for the next request.
  func lend() { codec_lend_pixels(memory, byteCount) }

  /// Unmaps and seals the memory; the program accepts no other. Ends all images in it, except for the one that is
  /// claimed. Frees the memory if there is no such image.
  func close(isEmpty: Bool) {
    // An image that outlives its request would be one of memory that is gone.
    if !codec_end_lending() { sandbox_exit(3) }
    if isEmpty { sandbox_empty(memory, byteCount) }
    sandbox_unmap(memory, byteCount)
    // If a process can still write to it, the program refuses it.
    _ = sandbox_seal(descriptor)
  }

  /// Stores the image for the program.
  func claim(
    _ image: Image, isComplete: Bool, duration: Duration = .zero
  ) throws(ImageCodecError) -> WorkerReply.Content {
    var claim = WorkerReply.Claim()
    (claim.size, claim.pixelFormat) = (image.size, image.pixelFormat)
    (claim.isComplete, claim.duration) = (isComplete, duration)
    guard let offset = image.withUnsafeBytes(offset(of:)) else { throw .outOfMemory }
    claim.offset = offset
    switch image.colorSpace {
    case .sRGB: claim.colors = .sRGB
    case .untagged: claim.colors = .untagged
    case .profile(let profile):
      claim.colors = .profile
      guard let offset = profile.bytes.withUnsafeBytes(copy) else { throw .outOfMemory }
      (claim.profileOffset, claim.profileCount) = (offset, profile.bytes.count)
    }
    if let gainMap = image.gainMap {
      let map = gainMap.image
      guard let offset = map.withUnsafeBytes(offset(of:)) else { throw .outOfMemory }
      claim.gainMap = WorkerReply.GainMapClaim(
        size: map.size, pixelFormat: map.pixelFormat, offset: offset, metadata: gainMap.metadata)
    }
    return .image(claim)
  }

  /// Stores bytes for the program.
  func claim(_ bytes: [UInt8]) throws(ImageCodecError) -> WorkerReply.Content {
    guard let offset = bytes.withUnsafeBytes(copy) else { throw .outOfMemory }
    return .bytes(offset: offset, count: bytes.count)
  }

  private func offset(of pixels: UnsafeRawBufferPointer) -> Int? {
    var offset = 0
    return codec_keep_lent(pixels.baseAddress, &offset) ? offset : copy(pixels)
  }

  private func copy(_ bytes: UnsafeRawBufferPointer) -> Int? {
    // Nothing may be lent yet: frames of an animation are kept, and so are made elsewhere.
    if !codec_is_lending() { lend() }
    var offset = 0
    guard let target = codec_take_lent(bytes.count, &offset), let start = bytes.baseAddress else {
      return nil
    }
    target.copyMemory(from: start, byteCount: bytes.count)
    return offset
  }
}
