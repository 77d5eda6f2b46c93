import CCodecs

/// Zeroed memory that may be refused and is released with its last reference.
// Unchecked, because the bytes are written only by an owner that holds the one reference to them.
final class PixelBuffer: @unchecked Sendable {
  let bytes: UnsafeMutableRawBufferPointer

  init(byteCount: Int) throws(ImageCodecError) {
    guard let memory = codec_allocate_pixels(byteCount) else { throw .outOfMemory }
    bytes = UnsafeMutableRawBufferPointer(start: memory, count: byteCount)
  }

  deinit { codec_free_pixels(bytes.baseAddress, bytes.count) }

  func copy() throws(ImageCodecError) -> PixelBuffer {
    let other = try PixelBuffer(byteCount: bytes.count)
    other.bytes.copyMemory(from: UnsafeRawBufferPointer(bytes))
    return other
  }

  func holdsSameBytes(as other: PixelBuffer) -> Bool {
    if self === other { return true }
    return bytes.count == other.bytes.count
      && codec_equal(bytes.baseAddress, other.bytes.baseAddress, bytes.count)
  }
}
