import CCodecs

/// Splits packed rows into planes for zimg, and merges its planes into packed rows.
final class RowBridge {
  let incoming: Planes
  let outgoing: Planes
  private let source: UnsafePointer<UInt8>?
  private let sourceRow: Int
  private let destination: UnsafeMutablePointer<UInt8>?
  private let destinationRow: Int
  private let pixelFormat: Image.PixelFormat
  private let lastChannel: Int
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
    lastChannel = pixelFormat.channelCount - 1
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
    let plane = { self.incoming.row(row, channel: min($0, self.lastChannel), column: columns.lowerBound) }
    codec_split(packed, columns.count, pixelFormat.channelCount, plane(0), plane(1), plane(2), plane(3))
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
    let plane = { self.outgoing.row(row, channel: min($0, self.lastChannel), column: columns.lowerBound) }
    codec_merge(plane(0), plane(1), plane(2), plane(3), columns.count, pixelFormat.channelCount, packed)
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
