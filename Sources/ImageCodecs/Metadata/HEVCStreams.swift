/// The HEVC streams of a HEIC file.
///
/// libde265 allocates memory for the size in the stream, which libheif does not check.
struct HEVCStreams {
  let file: ByteView
  let items: BoxesItems
  let locations: ItemLocations
  let watch: DecodingWatch

  /// Throws if a stream of the main image has pictures larger than the image needs.
  func check(within size: PixelSize) throws(ImageCodecError) {
    // Cameras split images into squares of 512, whatever their size, and encoders round up to blocks.
    let largest = PixelSize(width: max(size.width, 1_024) + 127, height: max(size.height, 1_024) + 127)
    var lengths: Set<Int> = []
    let configurations = items.needed.flatMap(items.configurations)
    // Tiles share one.
    for number in Set(configurations) {
      let property = items.properties[number - 1]
      lengths.insert((property.payload.byte(21) ?? 3) & 3 + 1)
      try checkConfiguration(property.payload, largest)
    }
    guard !lengths.isEmpty else { return }
    var total = 0
    for (item, extents) in locations.list where items.needed.contains(item) {
      let pieces = extents.compactMap(\.bytes)
      total += pieces.reduce(0) { $0 + $1.count }
      guard total <= file.count * 4 else { throw .corrupt("images that share their bytes") }
      let bytes = pieces.flatMap(\.array)
      for length in lengths { try checkUnits(bytes, lengthOfLength: length, largest) }
    }
  }

  private func checkConfiguration(_ bytes: ByteView, _ largest: PixelSize) throws(ImageCodecError) {
    var position = 23
    for _ in 0..<(bytes.byte(22) ?? 0) {
      guard let count = bytes.big(position + 1, count: 2) else { return }
      position += 3
      for _ in 0..<count {
        guard let length = bytes.big(position, count: 2) else { return }
        if let unit = bytes.slice(position + 2, count: length) { try check(unit, largest) }
        position += 2 + length
      }
    }
  }

  private func checkUnits(
    _ bytes: [UInt8], lengthOfLength: Int, _ largest: PixelSize
  ) throws(ImageCodecError) {
    try bytes.withUnsafeBufferPointer { buffer throws(ImageCodecError) in
      let view = ByteView(UnsafeRawBufferPointer(buffer))
      var (position, count) = (0, 0)
      while let length = view.big(position, count: lengthOfLength) {
        let start = position + lengthOfLength
        guard let unit = view.slice(start, count: min(length, view.count - start)) else { return }
        try check(unit, largest)
        position = start + length
        count += 1
        if count.isMultiple(of: 4_096) { try watch.check() }
      }
    }
  }

  private func check(_ unit: ByteView, _ largest: PixelSize) throws(ImageCodecError) {
    guard let size = HEVCPictureSize.size(of: unit) else { return }
    guard size.width <= largest.width, size.height <= largest.height else { throw .corrupt("two sizes") }
  }
}
