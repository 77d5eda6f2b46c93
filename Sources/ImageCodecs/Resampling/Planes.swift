import CCodecs
import CZimg

/// The memory layout of the rows under a filter: one plane per channel, rows aligned to 64 bytes, as a ring buffer
/// whose length is a power of two.
struct PlaneLayout {
  let channels: Int
  let stride: Int
  let mask: UInt32
  let lines: Int

  init(size: PixelSize, lines needed: UInt32, pixelFormat: Image.PixelFormat, light: Image.Light) {
    channels = pixelFormat.channelCount
    // Linear values need sixteen bits; eight would distinguish too few dark shades.
    let bytesPerSample = pixelFormat.isWide || light == .linear ? 2 : 1
    stride = (size.width * bytesPerSample + 63) / 64 * 64
    mask = zimg_select_buffer_mask(needed)
    lines = Int(min(mask, UInt32(size.height - 1))) + 1
  }

  var byteCount: Int { channels * stride * lines }
}

/// Memory for rows of planes.
final class Planes {
  let layout: PlaneLayout
  private let memory: AlignedMemory

  init(_ layout: PlaneLayout) throws(ImageCodecError) {
    self.layout = layout
    memory = try AlignedMemory(byteCount: layout.byteCount)
  }

  /// Returns a row of one channel, from a column.
  func row(_ row: Int, channel: Int, column: Int) -> UnsafeMutablePointer<UInt8> {
    let line = row & Int(layout.mask)
    let offset = (channel * layout.lines + line) * layout.stride + column
    return memory.start.assumingMemoryBound(to: UInt8.self) + offset
  }

  var readable: zimg_image_buffer_const {
    var buffer = zimg_image_buffer_const()
    buffer.version = ResampleGraph.version
    for channel in 0..<layout.channels {
      zimg_set_readable_plane(
        &buffer, UInt32(channel), row(0, channel: channel, column: 0), layout.stride, layout.mask)
    }
    return buffer
  }

  var writable: zimg_image_buffer {
    var buffer = zimg_image_buffer()
    buffer.version = ResampleGraph.version
    for channel in 0..<layout.channels {
      zimg_set_writable_plane(
        &buffer, UInt32(channel), row(0, channel: channel, column: 0), layout.stride, layout.mask)
    }
    return buffer
  }
}

/// Memory with the alignment of vector instructions. Its allocation may fail.
final class AlignedMemory {
  let start: UnsafeMutableRawPointer

  init(byteCount: Int) throws(ImageCodecError) {
    guard let memory = codec_allocate_aligned(byteCount) else { throw .outOfMemory }
    start = memory
  }

  deinit { codec_free(start) }
}
