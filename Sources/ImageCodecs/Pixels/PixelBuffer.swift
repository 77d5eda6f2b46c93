import CCodecs
import CSandbox

/// Memory for pixels, whose allocation may fail. It is freed with the last reference.
// Unchecked, because the bytes are written only by an owner with the sole reference to them.
final class PixelBuffer: @unchecked Sendable {
  let bytes: UnsafeMutableRawBufferPointer
  /// Whether the bytes are those of another process, which it cannot change any more.
  private let isMapped: Bool

  /// - Parameter isZeroed: Whether the bytes are zeros. Otherwise they are what was there before, which may be another image:
  ///   the caller writes all of them before anything can read them.
  init(byteCount: Int, isZeroed: Bool = true) throws(ImageCodecError) {
    let memory = isZeroed ? codec_allocate_pixels(byteCount) : codec_allocate_unset_pixels(byteCount)
    guard let memory else { throw .outOfMemory }
    bytes = UnsafeMutableRawBufferPointer(start: memory, count: byteCount)
    isMapped = false
  }

  /// Copies or maps bytes of sealed memory. Writes to them do not change that memory.
  init(sealed memory: Int32, offset: Int, byteCount: Int) throws(ImageCodecError) {
    // A mapping costs a page table and a number of which a process has few; small images are copied.
    isMapped = byteCount >= PixelBuffer.leastMapped
    let start =
      isMapped ? sandbox_map_private(memory, offset, byteCount) : codec_allocate_unset_pixels(byteCount)
    guard let start else { throw .outOfMemory }
    bytes = UnsafeMutableRawBufferPointer(start: start, count: byteCount)
    if !isMapped, sandbox_copy(memory, offset, start, byteCount) != 0 { throw .outOfMemory }
  }

  private static let leastMapped = 128 << 10

  deinit {
    if isMapped {
      sandbox_unmap(bytes.baseAddress, bytes.count)
    } else {
      codec_free_pixels(bytes.baseAddress, bytes.count)
    }
  }

  func copy() throws(ImageCodecError) -> PixelBuffer {
    let other = try PixelBuffer(byteCount: bytes.count, isZeroed: false)
    other.bytes.copyMemory(from: UnsafeRawBufferPointer(bytes))
    return other
  }

  func holdsSameBytes(as other: PixelBuffer) -> Bool {
    if self === other { return true }
    return bytes.count == other.bytes.count
      && codec_equal(bytes.baseAddress, other.bytes.baseAddress, bytes.count)
  }
}
