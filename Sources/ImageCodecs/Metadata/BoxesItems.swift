/// The items of an AVIF or HEIC file: images, their parts, and metadata (ISO/IEC 14496-12, 8.11). Nothing else reads them.
///
/// Libraries choose differently between boxes and numbers that occur twice, and search all items for each one. So a file with
/// two of a kind, or with too many, is refused. Reading takes time in proportion to the bytes.
struct BoxesItems {
  struct Item {
    let number: Int
    /// The bytes of the type.
    let type: ByteView
    /// The entry in the list of items, from its version on, and the offset of the type in it.
    let entry: ByteView
    let typeOffset: Int
  }

  /// The number of the main image, and the box that has it.
  let main: Int
  let mainBox: Box
  let list: [Item]
  let properties: [Box]
  let references: [BoxReference]
  /// Whether the file has tracks, as sequences do.
  let hasTracks: Bool
  /// Whether some image is the alpha of another one.
  let hasAlpha: Bool
  /// The bits of a sample in the first configuration of a decoder.
  let codedBits: Int?
  /// The size of the frames of a file that has nothing but a track; its configuration is that of an item 0.
  let trackSize: PixelSize?
  /// The boxes that describe the items.
  let boxes: [Box]
  private let places: [Int: Int]
  private let associations: [Int: [Int]]

  init(_ file: ByteView) throws(ImageCodecError) {
    let parts = Box.list(file)
    guard parts.count < Box.maximumCount else { throw .corrupt("too many images") }
    hasTracks = parts.contains { $0.type == "moov" }
    guard let meta = try parts.only("meta") else {
      let isWhole = parts.allSatisfy(\.isComplete) && parts.last?.end == file.count
      guard let track = try parts.only("moov"), track.isComplete, let entry = TrackEntry(track) else {
        throw isWhole ? .unsupportedFeature("boxes without an image") : .truncated
      }
      (main, mainBox, trackSize) = (0, track, entry.size)
      (list, references, boxes, places) = ([], [], [], [:])
      properties = entry.properties
      associations = [0: Array(1..<properties.count + 1)]
      (hasAlpha, codedBits) = (entry.hasAlpha, nil)
      return
    }
    guard meta.isComplete else { throw .truncated }
    trackSize = nil
    var budget = BoxesBudget()
    boxes = try budget.boxes(meta.payload, from: 4)
    guard let name = try boxes.only("pitm"), let main = name.payload.count(behind: 4, ofVersions: 0) else {
      throw .corrupt("no main image")
    }
    (self.main, mainBox) = (main, name)
    list = try BoxesItems.list(boxes.only("iinf")?.payload, &budget)
    var places: [Int: Int] = [:]
    for (place, item) in list.enumerated() where places.updateValue(place, forKey: item.number) != nil {
      throw .corrupt("two items with one number")
    }
    self.places = places
    let described = try budget.boxes(boxes.only("iprp")?.payload)
    properties = try budget.boxes(described.only("ipco")?.payload)
    hasAlpha = properties.contains(where: \.saysAlpha)
    codedBits = properties.lazy.compactMap(\.codedBits).first
    associations = try BoxesItems.associations(described, &budget)
    references = try BoxesItems.references(boxes.only("iref")?.payload, &budget)
    try budget.take(boxes.only("iloc")?.payload.count(behind: 6, ofVersions: 1) ?? 0)
  }

  func item(_ number: Int) -> Item? { places[number].map { list[$0] } }

  /// The numbers of the properties of an item, from 1, in order.
  func propertyNumbers(of item: Int) -> [Int] {
    (associations[item] ?? []).filter { $0 <= properties.count }
  }

  func properties(of item: Int) -> [Box] { propertyNumbers(of: item).map { properties[$0 - 1] } }

  /// The size of an item. If it has several, this is the last one, as in libheif.
  func size(of item: Int) -> PixelSize? { properties(of: item).last { $0.type == "ispe" }?.size }

  /// The items that an image consists of: itself, its parts, and the alpha of both.
  func needed(for image: Int) -> Set<Int> {
    var next: [Int: [Int]] = [:]
    var alphas: [Int: Bool] = [:]
    for reference in references {
      if reference.type == "dimg" { next[reference.from, default: []] += reference.to }
      guard reference.type == "auxl" else { continue }
      let isAlpha = alphas[reference.from] ?? properties(of: reference.from).contains(where: \.saysAlpha)
      alphas[reference.from] = isAlpha
      guard isAlpha else { continue }
      for item in reference.to { next[item, default: []].append(reference.from) }
    }
    var reached: Set<Int> = [image]
    var waiting = [image]
    while let item = waiting.popLast() {
      waiting += (next[item] ?? []).filter { reached.insert($0).inserted }
    }
    return reached
  }

  /// Whether some of these images are of a type that libraries of a format did not read from the beginning.
  func hasOtherTypes(_ images: Set<Int>, than format: ImageFormat) -> Bool {
    let known: Set<String> = format == .heic ? ["hvc1", "grid", "iden", "iovl"] : ["av01", "grid"]
    return images.contains { item($0).map { !known.contains($0.type.text) } ?? false }
  }

  /// The items that are made of an image and its gain map (ISO/IEC 23008-12, 6.6.2.4).
  var toneMaps: Set<Int> { Set(list.filter { $0.type.holds("tmap", at: 0) }.map(\.number)) }

  private static func list(
    _ bytes: ByteView?, _ budget: inout BoxesBudget
  ) throws(ImageCodecError) -> [Item] {
    guard let bytes, let version = bytes.byte(0) else { return [] }
    let entries = try budget.boxes(bytes, from: version == 0 ? 6 : 8)
    // Those that are announced are allocated or searched by libraries.
    try budget.take(max(0, (bytes.count(behind: 4, ofVersions: 0) ?? 0) - entries.count))
    return entries.compactMap { box in
      guard box.type == "infe", let version = box.payload.byte(0), version >= 2 else { return nil }
      let length = version == 2 ? 2 : 4
      guard let number = box.payload.big(4, count: length),
        let type = box.payload.slice(6 + length, count: 4)
      else { return nil }
      return Item(number: number, type: type, entry: box.payload, typeOffset: 6 + length)
    }
  }

  private static func associations(
    _ boxes: [Box], _ budget: inout BoxesBudget
  ) throws(ImageCodecError) -> [Int: [Int]] {
    var result: [Int: [Int]] = [:]
    for box in boxes where box.type == "ipma" {
      let bytes = box.payload
      guard let version = bytes.byte(0), let flags = bytes.byte(3), let entries = bytes.big(4, count: 4)
      else { continue }
      try budget.take(entries)
      let length = version == 0 ? 2 : 4
      // The highest bit means that the property is essential.
      let (indexLength, mask) = flags & 1 == 1 ? (2, 0x7FFF) : (1, 0x7F)
      var position = 8
      for _ in 0..<entries {
        guard let item = bytes.big(position, count: length), let count = bytes.byte(position + length) else {
          break
        }
        try budget.take(count)
        position += length + 1
        let numbers = (0..<count).compactMap { bytes.big(position + $0 * indexLength, count: indexLength) }
        position += count * indexLength
        guard result.updateValue(numbers.map { $0 & mask }.filter { $0 > 0 }, forKey: item) == nil else {
          throw .corrupt("two lists of properties of one image")
        }
      }
    }
    return result
  }

  private static func references(
    _ bytes: ByteView?, _ budget: inout BoxesBudget
  ) throws(ImageCodecError) -> [BoxReference] {
    guard let bytes else { return [] }
    let length = bytes.byte(0) == 0 ? 2 : 4
    var references: [BoxReference] = []
    for box in try budget.boxes(bytes, from: 4) {
      try budget.take(box.payload.big(length, count: 2) ?? 0)
      if let reference = BoxReference(box, identifierLength: length) { references.append(reference) }
    }
    return references
  }
}

/// What the first track of pictures says of its frames (ISO/IEC 14496-12, 8.5.2: visual sample entry).
private struct TrackEntry {
  let size: PixelSize
  let properties: [Box]
  /// Whether there is another track, which has the alpha.
  let hasAlpha: Bool

  /// `nil` unless the frames are AV1.
  init?(_ movie: Box) {
    let tracks = Box.list(movie.payload).filter { $0.type == "trak" }
    var table: ByteView? = tracks.first?.payload
    for type in ["mdia", "minf", "stbl", "stsd"] {
      table = table.flatMap { Box.list($0).first { $0.type == type }?.payload }
    }
    guard let entry = table.flatMap({ Box.list($0, from: 8).first { $0.type == "av01" }?.payload }),
      let width = entry.big(24, count: 2), let height = entry.big(26, count: 2),
      let rest = entry.rest(from: 78)
    else { return nil }
    size = PixelSize(width: width, height: height)
    // Transformations are a matter of the track.
    properties = Box.list(rest).filter { ["av1C", "colr", "clli"].contains($0.type) }
    hasAlpha = tracks.count > 1
  }
}

/// How much a file may list, together: boxes, items, places, properties, their associations, and references. An image of
/// 200 megapixels has about 5,000.
struct BoxesBudget {
  private var rest = BoxesBudget.maximumEntries

  static let maximumEntries = 20_000

  mutating func take(_ count: Int) throws(ImageCodecError) {
    guard count <= rest else { throw .corrupt("too many images") }
    rest -= count
  }

  mutating func boxes(_ bytes: ByteView?, from start: Int = 0) throws(ImageCodecError) -> [Box] {
    guard let bytes else { return [] }
    let boxes = Box.list(bytes, from: start)
    guard boxes.count < Box.maximumCount else { throw .corrupt("too many images") }
    try take(boxes.count)
    return boxes
  }
}

extension [Box] {
  /// The box of a type; `nil` if there is none. Throws if there are two, of which libraries read the first or the last.
  func only(_ type: String) throws(ImageCodecError) -> Box? {
    let first = firstIndex { $0.type == type }
    guard first == lastIndex(where: { $0.type == type }) else { throw .corrupt("two boxes of one kind") }
    return first.map { self[$0] }
  }
}

extension Box {
  /// Whether it says that an image is the alpha of another one.
  var saysAlpha: Bool {
    type == "auxC"
      && (payload.holds("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", at: 4)
        || payload.holds("urn:mpeg:hevc:2015:auxid:1", at: 4))
  }

  /// The size in an `ispe` box.
  var size: PixelSize {
    PixelSize(width: payload.big(4, count: 4) ?? 0, height: payload.big(8, count: 4) ?? 0)
  }
}

extension ByteView {
  /// A number of two bytes in boxes up to this version, and of four in later ones.
  fileprivate func count(behind offset: Int, ofVersions last: Int) -> Int? {
    guard let version = byte(0) else { return nil }
    return big(offset, count: version <= last ? 2 : 4)
  }
}
