import CCodecs

/// Splits packed rows into planes for zimg, and merges its planes into packed rows.
final class RowBridge {
  /// Where rows come from.
  enum Source {
    /// All of them, packed.
    case pixels(UnsafeRawBufferPointer)
    /// One after the other, from a decoder.
    case reader(RowReader)
  }

  let incoming: Planes
  let outgoing: Planes
  /// The first column that is used, of all rows or of the one that a reader has read.
  private let source: UnsafePointer<UInt8>?
  private let sourceRow: Int
  private let rows: Source
  /// That of `rows`, which retains it.
  private let reader: Unmanaged<RowReader>?
  /// How many columns the filter needs at least, of a reader that reads each row once.
  private let usedWidth: Int
  private let destination: UnsafeMutablePointer<UInt8>?
  private let destinationRow: Int
  private let pixelFormat: Image.PixelFormat
  private let lastChannel: Int
  private let light: Image.Light
  private let watch: DecodingWatch

  init(
    source: Source, sourceWidth: Int, skipping skipped: Int, usedWidth: Int, incoming: Planes,
    destination: UnsafeMutableRawBufferPointer, destinationWidth: Int, outgoing: Planes,
    pixelFormat: Image.PixelFormat, light: Image.Light, watch: DecodingWatch
  ) {
    let first: UnsafePointer<UInt8>?
    switch source {
    case .pixels(let bytes): (first, reader) = (bytes.bytes, nil)
    case .reader(let reader): (first, self.reader) = (UnsafePointer(reader.row), .passUnretained(reader))
    }
    rows = source
    self.source = first.map { $0 + skipped * pixelFormat.bytesPerPixel }
    self.usedWidth = usedWidth
    (self.incoming, self.outgoing, self.destination) = (incoming, outgoing, destination.bytes)
    (self.pixelFormat, self.light, self.watch) = (pixelFormat, light, watch)
    lastChannel = pixelFormat.channelCount - 1
    sourceRow = sourceWidth * pixelFormat.bytesPerPixel
    destinationRow = destinationWidth * pixelFormat.bytesPerPixel
  }

  /// Calls `body` without retaining the bridge, which would wait for the row before to be in memory.
  static func at(_ context: UnsafeMutableRawPointer?, _ body: (RowBridge) -> Bool) -> Bool {
    guard let context else { return false }
    return Unmanaged<RowBridge>.fromOpaque(context)._withUnsafeGuaranteedRef(body)
  }

  /// Returning false stops the filter.
  func split(row: Int, columns: Range<Int>) -> Bool {
    guard let source else { return false }
    var packed = source + columns.lowerBound * pixelFormat.bytesPerPixel
    if let reader {
      // A decoder looks at the watch itself. Of large images, zimg makes one strip of columns after the other.
      let isThere = reader._withUnsafeGuaranteedRef { reader in
        guard columns.upperBound < usedWidth else { return reader.read(row) }
        reader.refuse()
        return false
      }
      guard isThere else { return false }
    } else {
      guard watch.shouldContinue() else { return false }
      packed += row * sourceRow
    }
    if light == .linear || pixelFormat.isWide {
      let split = light == .linear ? codec_split_light : codec_split_wide
      for channel in 0...lastChannel {
        let plane = incoming.row(row, channel: channel, column: columns.lowerBound * 2)
        split(packed, columns.count, pixelFormat.channelCount, channel, plane)
      }
      return true
    }
    let plane = { self.incoming.row(row, channel: min($0, self.lastChannel), column: columns.lowerBound) }
    codec_split(packed, columns.count, pixelFormat.channelCount, plane(0), plane(1), plane(2), plane(3))
    return true
  }

  func merge(row: Int, columns: Range<Int>) -> Bool {
    guard let destination else { return false }
    let packed = destination + row * destinationRow + columns.lowerBound * pixelFormat.bytesPerPixel
    if light == .linear || pixelFormat.isWide {
      let merge = light == .linear ? codec_merge_light : codec_merge_wide
      for channel in 0...lastChannel {
        let plane = outgoing.row(row, channel: channel, column: columns.lowerBound * 2)
        merge(plane, columns.count, pixelFormat.channelCount, channel, packed)
      }
      return true
    }
    let plane = { self.outgoing.row(row, channel: min($0, self.lastChannel), column: columns.lowerBound) }
    codec_merge(plane(0), plane(1), plane(2), plane(3), columns.count, pixelFormat.channelCount, packed)
    return true
  }
}
