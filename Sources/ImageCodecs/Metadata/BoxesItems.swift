/// The items of an AVIF or HEIC file: images, their parts, and metadata (ISO/IEC 14496-12, 8.11).
struct BoxesItems {
  /// The main image.
  let main: Int
  let references: [BoxReference]
  /// The bytes with the type of each item.
  let types: [(item: Int, name: ByteView)]
  let properties: [Box]
  private let associations: [Int: [Int]]
  /// The items that the main image consists of: itself, its parts, and the alpha of both.
  let needed: Set<Int>

  /// - Parameter boxes: The boxes that describe the images, whose number has been checked.
  init(_ boxes: [Box], main: Int, references: [BoxReference]) {
    self.main = main
    self.references = references
    types = BoxesItems.types(boxes)
    let parts = boxes.first { $0.type == "iprp" }.map { Box.list($0.payload) } ?? []
    properties = parts.first { $0.type == "ipco" }.map { Box.list($0.payload) } ?? []
    let associations = parts.filter { $0.type == "ipma" }
      .reduce(into: [:]) { $0.merge($1.payload.associations()) { $0 + $1 } }
    self.associations = associations
    let all = properties
    needed = BoxesItems.reach(main, references) { item in
      (associations[item] ?? []).contains { $0 <= all.count && all[$0 - 1].saysAlpha }
    }
  }

  /// Whether the main image needs what libraries did not have from the beginning.
  var isOfNewKind: Bool {
    types.contains { item, name in
      needed.contains(item) && !BoxesItems.oldTypes.contains(String(decoding: name.array, as: UTF8.self))
    }
      || references.contains { $0.type == "auxl" && needed.contains($0.from) && $0.to.count > 1 }
  }

  /// The items that are made of an image and its gain map (ISO/IEC 23008-12, 6.6.2.4).
  var toneMaps: Set<Int> { Set(types.filter { $0.name.holds("tmap", at: 0) }.map(\.item)) }

  private static let oldTypes: Set<String> = ["hvc1", "av01", "grid", "iden", "iovl"]

  /// The properties of an item, in order.
  func properties(of item: Int) -> [Box] {
    (associations[item] ?? []).compactMap { $0 <= properties.count ? properties[$0 - 1] : nil }
  }

  /// The numbers of the properties that configure the decoder of an item, from 1.
  func configurations(of item: Int) -> [Int] {
    (associations[item] ?? []).filter { $0 <= properties.count && properties[$0 - 1].type == "hvcC" }
  }

  private static func types(_ boxes: [Box]) -> [(item: Int, name: ByteView)] {
    guard let list = boxes.first(where: { $0.type == "iinf" })?.payload, let version = list.byte(0) else {
      return []
    }
    return Box.list(list, from: version == 0 ? 6 : 8).compactMap { entry in
      guard entry.type == "infe", let version = entry.payload.byte(0), version >= 2 else { return nil }
      let length = version == 2 ? 2 : 4
      guard let item = entry.payload.big(4, count: length),
        let name = entry.payload.slice(6 + length, count: 4)
      else { return nil }
      return (item, name)
    }
  }

  private static func reach(
    _ main: Int, _ references: [BoxReference], isAlpha: (Int) -> Bool
  ) -> Set<Int> {
    var next: [Int: [Int]] = [:]
    for reference in references {
      if reference.type == "dimg" { next[reference.from, default: []] += reference.to }
      guard reference.type == "auxl", isAlpha(reference.from) else { continue }
      for item in reference.to { next[item, default: []].append(reference.from) }
    }
    var reached: Set<Int> = [main]
    var waiting = [main]
    while let item = waiting.popLast() {
      waiting += (next[item] ?? []).filter { reached.insert($0).inserted }
    }
    return reached
  }
}

extension Box {
  /// Whether it says that an image is the alpha of another one.
  var saysAlpha: Bool {
    type == "auxC"
      && (payload.holds("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", at: 4)
        || payload.holds("urn:mpeg:hevc:2015:auxid:1", at: 4))
  }
}

extension ByteView {
  /// The numbers of the properties of each item, from 1.
  func associations() -> [Int: [Int]] {
    guard let version = byte(0), let flags = byte(3), let entries = big(4, count: 4) else { return [:] }
    let idLength = version == 0 ? 2 : 4
    let indexLength = flags & 1 == 1 ? 2 : 1
    // The highest bit means that the property is essential.
    let mask = indexLength == 2 ? 0x7FFF : 0x7F
    var position = 8
    var result: [Int: [Int]] = [:]
    for _ in 0..<min(entries, BoxesReferences.maximumEntries) {
      guard let id = big(position, count: idLength), let count = byte(position + idLength) else { break }
      position += idLength + 1
      result[id, default: []] += (0..<count).compactMap {
        big(position + $0 * indexLength, count: indexLength).map { $0 & mask }
      }.filter { $0 > 0 }
      position += count * indexLength
    }
    return result
  }
}
