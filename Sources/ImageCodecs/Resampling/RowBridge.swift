import CCodecs
import CYUV

/// Splits packed rows into planes for zimg, and merges its planes into packed rows.
final class RowBridge {
  let incoming: Planes
  let outgoing: Planes
  private let source: UnsafePointer<UInt8>?
  private let sourceRow: Int
  private let destination: UnsafeMutablePointer<UInt8>?
  private let destinationRow: Int
  private let pixelFormat: Image.PixelFormat
  private let light: Image.Light
  private let watch: DecodingWatch

  init(
    source: UnsafeRawBufferPointer, sourceWidth: Int, incoming: Planes,
    destination: UnsafeMutableRawBufferPointer, destinationWidth: Int, outgoing: Planes,
    pixelFormat: Image.PixelFormat, light: Image.Light, watch: DecodingWatch
  ) {
    self.source = source.bytes
    self.incoming = incoming
    self.destination = destination.bytes
    self.outgoing = outgoing
    self.pixelFormat = pixelFormat
    self.light = light
    self.watch = watch
    sourceRow = sourceWidth * pixelFormat.bytesPerPixel
    destinationRow = destinationWidth * pixelFormat.bytesPerPixel
  }

  static func at(_ context: UnsafeMutableRawPointer?) -> RowBridge? {
    context.map { Unmanaged<RowBridge>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Returning false stops the filter.
  func split(row: Int, columns: Range<Int>) -> Bool {
    guard watch.shouldContinue(), let source else { return false }
    let packed = source + row * sourceRow + columns.lowerBound * pixelFormat.bytesPerPixel
    if light == .linear {
      splitLight(packed, row: row, columns: columns)
      return true
    }
    if pixelFormat.isWide {
      splitWide(packed, row: row, columns: columns)
      return true
    }
    let count = Int32(columns.count)
    let plane = { self.incoming.row(row, channel: $0, column: columns.lowerBound) }
    switch pixelFormat {
    case .gray8:
      plane(0).update(from: packed, count: columns.count)
    case .rgb8:
      SplitRGBPlane(packed, 0, plane(0), 0, plane(1), 0, plane(2), 0, count, 1)
    case .rgba8:
      // libyuv names the channels from the last byte of a pixel to the first.
      SplitARGBPlane(packed, 0, plane(2), 0, plane(1), 0, plane(0), 0, plane(3), 0, count, 1)
    case .gray16, .rgb16, .rgba16: return false
    }
    return true
  }

  func merge(row: Int, columns: Range<Int>) -> Bool {
    guard let destination else { return false }
    let packed = destination + row * destinationRow + columns.lowerBound * pixelFormat.bytesPerPixel
    if light == .linear {
      mergeLight(packed, row: row, columns: columns)
      return true
    }
    if pixelFormat.isWide {
      mergeWide(packed, row: row, columns: columns)
      return true
    }
    let count = Int32(columns.count)
    let plane = { self.outgoing.row(row, channel: $0, column: columns.lowerBound) }
    switch pixelFormat {
    case .gray8:
      packed.update(from: plane(0), count: columns.count)
    case .rgb8:
      MergeRGBPlane(plane(0), 0, plane(1), 0, plane(2), 0, packed, 0, count, 1)
    case .rgba8:
      MergeARGBPlane(plane(2), 0, plane(1), 0, plane(0), 0, plane(3), 0, packed, 0, count, 1)
    case .gray16, .rgb16, .rgba16: return false
    }
    return true
  }

  private func splitLight(_ packed: UnsafePointer<UInt8>, row: Int, columns: Range<Int>) {
    for channel in 0..<pixelFormat.bytesPerPixel {
      let plane = incoming.row(row, channel: channel, column: columns.lowerBound * light.bytesPerSample)
      codec_split_light(packed, columns.count, pixelFormat.bytesPerPixel, channel, plane)
    }
  }

  private func mergeLight(_ packed: UnsafeMutablePointer<UInt8>, row: Int, columns: Range<Int>) {
    for channel in 0..<pixelFormat.bytesPerPixel {
      let plane = outgoing.row(row, channel: channel, column: columns.lowerBound * light.bytesPerSample)
      codec_merge_light(plane, columns.count, pixelFormat.bytesPerPixel, channel, packed)
    }
  }

  private func splitWide(_ packed: UnsafePointer<UInt8>, row: Int, columns: Range<Int>) {
    for channel in 0..<pixelFormat.channelCount {
      let plane = incoming.row(row, channel: channel, column: columns.lowerBound * 2)
      codec_split_wide(packed, columns.count, pixelFormat.channelCount, channel, plane)
    }
  }

  private func mergeWide(_ packed: UnsafeMutablePointer<UInt8>, row: Int, columns: Range<Int>) {
    for channel in 0..<pixelFormat.channelCount {
      let plane = outgoing.row(row, channel: channel, column: columns.lowerBound * 2)
      codec_merge_wide(plane, columns.count, pixelFormat.channelCount, channel, packed)
    }
  }
}
