/// Holds what the data of derived images (ISO/IEC 23008-12, 6.6.2) say against the sizes that the boxes announce.
///
/// libheif believes these data, multiplies sides in 32 bits, and leaves memory untouched where no part is.
struct DerivedImages {
  private let items: BoxesItems
  private let locations: ItemLocations
  private let parts: [Int: [BoxReference]]
  private var sizes: [Int: PixelSize] = [:]

  init(_ items: BoxesItems, _ locations: ItemLocations) {
    (self.items, self.locations) = (items, locations)
    parts = Dictionary(grouping: items.references.filter { $0.type == "dimg" }, by: \.from)
  }

  /// Throws unless each of these images has one size wherever the file mentions it, and its parts cover it.
  mutating func check(_ images: Set<Int>) throws(ImageCodecError) {
    // A track has no items.
    guard items.trackSize == nil else { return }
    for image in images {
      let found = Set(items.properties(of: image).filter { $0.type == "ispe" }.map(\.size))
      guard found.count <= 1 else { throw .corrupt("two sizes") }
      sizes[image] = found.first
    }
    for image in images {
      // libheif ends the process for a part that is none of the items.
      guard let type = items.item(image)?.type else { throw .corrupt("an image without its parts") }
      if type.holds("grid", at: 0) {
        try checkGrid(image)
      } else if type.holds("iovl", at: 0) {
        try checkOverlay(image)
      } else if type.holds("iden", at: 0) {
        let parts = try parts(of: image)
        guard parts.count == 1, let size = sizes[image], sizes[parts[0]] == size else {
          throw .corrupt("two sizes")
        }
      }
    }
  }

  /// Tiles have the same size, and those of the last row and column are cut off.
  private func checkGrid(_ image: Int) throws(ImageCodecError) {
    let tiles = try parts(of: image)
    let (content, length) = try content(of: image, maximumBytes: 12)
    guard let rows = content.number(2, count: 1), let columns = content.number(3, count: 1),
      let width = content.number(4, count: length), let height = content.number(4 + length, count: length),
      let tile = sizes[tiles[0]]
    else { throw .corrupt("a grid without a size") }
    guard sizes[image] == PixelSize(width: width, height: height),
      tiles.allSatisfy({ sizes[$0] == tile })
    else { throw .corrupt("two sizes") }
    guard tiles.count == (rows + 1) * (columns + 1), DerivedImages.covers(width, tile.width, columns),
      DerivedImages.covers(height, tile.height, rows)
    else { throw .corrupt("an image that its parts do not cover") }
  }

  /// Whether tiles reach the end of a side with the last one, and not before. All numbers have at most 32 bits.
  private static func covers(_ side: Int, _ tile: Int, _ last: Int) -> Bool {
    tile * last < side && tile * (last + 1) >= side
  }

  /// libheif 1.15 writes outside of the image where a part with alpha begins before it.
  private func checkOverlay(_ image: Int) throws(ImageCodecError) {
    let parts = try parts(of: image)
    let (content, length) = try content(of: image, maximumBytes: 18 + parts.count * 8)
    guard let width = content.number(10, count: length),
      let height = content.number(10 + length, count: length)
    else { throw .corrupt("an overlay without a size") }
    guard sizes[image] == PixelSize(width: width, height: height) else { throw .corrupt("two sizes") }
    for (index, part) in parts.enumerated() {
      let position = 10 + length * (2 + index * 2)
      guard let x = content.number(position, count: length),
        let y = content.number(position + length, count: length), let size = sizes[part]
      else { throw .corrupt("an overlay without places") }
      // Negative offsets are large numbers here.
      guard x + size.width <= width, y + size.height <= height else {
        throw .unsupportedFeature("an overlay of images beyond its edges")
      }
    }
  }

  /// The images that a derived image consists of. Libraries read one list.
  private func parts(of image: Int) throws(ImageCodecError) -> [Int] {
    guard let lists = parts[image], lists.count == 1, !lists[0].to.isEmpty else {
      throw .corrupt("an image without its parts")
    }
    return lists[0].to
  }

  /// The data of a derived image of version 0, and the length of the numbers in it.
  private func content(
    of image: Int, maximumBytes: Int
  ) throws(ImageCodecError) -> (content: [UInt8], length: Int) {
    let extents = locations.extents[image] ?? []
    guard extents.allSatisfy(\.isComplete) else { throw .truncated }
    // A length of zero means all bytes, and none to libheif.
    guard !extents.contains(where: { $0.length == 0 }),
      let content = locations.content(of: image, maximumBytes: maximumBytes), content.count >= 2,
      content[0] == 0
    else { throw .corrupt("an image whose parts are not described") }
    return (content, content[1] & 1 == 1 ? 4 : 2)
  }
}

extension [UInt8] {
  /// A big-endian number; `nil` unless all of its bytes exist.
  fileprivate func number(_ offset: Int, count: Int) -> Int? {
    offset + count <= self.count ? self[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) } : nil
  }
}
