/// The HEVC streams of a HEIC file.
///
/// libde265 allocates memory for the size in the stream, which libheif does not check.
struct HEVCStreams {
  let file: ByteView
  let items: BoxesItems
  let needed: Set<Int>
  let locations: ItemLocations
  let watch: DecodingWatch

  /// The sizes that a stream may have: it covers its image, and is no larger than the main image needs.
  private struct Bounds {
    var least = PixelSize(width: 0, height: 0)
    let most: PixelSize

    mutating func cover(_ size: PixelSize?) {
      guard let size else { return }
      least = PixelSize(width: max(least.width, size.width), height: max(least.height, size.height))
    }
  }

  /// Throws if a stream of the main image has pictures larger than that needs, or smaller than its own boxes announce.
  func check(within size: PixelSize) throws(ImageCodecError) {
    // Cameras split images into squares of 512, whatever their size, and encoders round up to blocks.
    let largest = PixelSize(width: max(size.width, 1_024) + 127, height: max(size.height, 1_024) + 127)
    // Tiles share a configuration.
    var configurations: [Int: Bounds] = [:]
    var sizes: [Int: Bounds] = [:]
    for item in needed {
      var own = Bounds(most: largest)
      own.cover(items.size(of: item))
      sizes[item] = own
      for number in items.propertyNumbers(of: item) where items.properties[number - 1].type == "hvcC" {
        configurations[number, default: own].cover(items.size(of: item))
      }
    }
    var lengths: Set<Int> = []
    for (number, bounds) in configurations {
      let property = items.properties[number - 1]
      lengths.insert((property.payload.byte(21) ?? 3) & 3 + 1)
      try checkConfiguration(property.payload, bounds)
    }
    guard !lengths.isEmpty else { return }
    var total = 0
    for item in needed {
      let pieces = (locations.extents[item] ?? []).compactMap(\.bytes)
      total += pieces.reduce(0) { $0 + $1.count }
      guard total <= file.count * 4 else { throw .corrupt("images that share their bytes") }
      let bytes = pieces.flatMap(\.array)
      for length in lengths {
        try checkUnits(bytes, lengthOfLength: length, sizes[item] ?? Bounds(most: largest))
      }
    }
  }

  private func checkConfiguration(_ bytes: ByteView, _ bounds: Bounds) throws(ImageCodecError) {
    var position = 23
    for _ in 0..<(bytes.byte(22) ?? 0) {
      guard let count = bytes.big(position + 1, count: 2) else { return }
      position += 3
      for _ in 0..<count {
        guard let length = bytes.big(position, count: 2) else { return }
        if let unit = bytes.slice(position + 2, count: length) { try check(unit, bounds) }
        position += 2 + length
      }
    }
  }

  private func checkUnits(
    _ bytes: [UInt8], lengthOfLength: Int, _ bounds: Bounds
  ) throws(ImageCodecError) {
    try bytes.withUnsafeBufferPointer { buffer throws(ImageCodecError) in
      let view = ByteView(UnsafeRawBufferPointer(buffer))
      var (position, count) = (0, 0)
      while let length = view.big(position, count: lengthOfLength) {
        let start = position + lengthOfLength
        guard let unit = view.slice(start, count: min(length, view.count - start)) else { return }
        try check(unit, bounds)
        position = start + length
        count += 1
        if count.isMultiple(of: 4_096) { try watch.check() }
      }
    }
  }

  private func check(_ unit: ByteView, _ bounds: Bounds) throws(ImageCodecError) {
    guard let size = HEVCPictureSize(unit) else { return }
    guard size.coded.width <= bounds.most.width, size.coded.height <= bounds.most.height,
      size.shown.width >= bounds.least.width, size.shown.height >= bounds.least.height
    else { throw .corrupt("two sizes") }
  }
}
