/// The header of an AVIF in any version of its boxes, with Exif data as its second item, and without pixels.
struct BoxesForm {
  var placesVersion = 0
  /// The bytes of an offset, a length, a base, and an index of a part.
  var sizes = (offset: 4, length: 4, base: 0, index: 0)
  /// Whether data are in a box beside the descriptions.
  var isInside = false
  /// The sizes of the parts of the Exif data; the last has the rest.
  var parts: [Int] = []
  /// Whether the last part is as long as its source.
  var endsWithSource = false
  var mainVersion = 0
  var listVersion = 0
  var entryVersion = 2
  var associationsVersion = 0
  var hasWideAssociations = false
  /// What is added to the numbers that are counted.
  var placesError = 0
  var listError = 0
  var associationsError = 0
  var properties: [[UInt8]] = [BoxesForm.size(6, 4)]
  /// Numbers of properties of the main image, from 1.
  var associations = [1]
  /// Items of which the file has nothing but lists of properties, and the length of each list.
  var others = (items: 0, properties: 0)
  /// Whole boxes among the descriptions.
  var before: [UInt8] = []
  var behind: [UInt8] = []
  var exif = Exif.data(orientation: 6, bigEndian: true)

  static func size(_ width: Int, _ height: Int) -> [UInt8] {
    BoxesFile.box("ispe", [0, 0, 0, 0] + big(width, count: 4) + big(height, count: 4))
  }

  static func full(_ version: Int, _ flags: Int = 0) -> [UInt8] {
    big(version, count: 1) + big(flags, count: 3)
  }

  private var data: [UInt8] { [0, 0, 0, 0] + exif }

  var bytes: [UInt8] {
    let head = BoxesFile.box("ftyp", Array("avif\0\0\0\0mif1avif".utf8))
    // Offsets have a fixed length, so the first pass finds where the data begins.
    let start = head.count + BoxesFile.box("meta", meta(0)).count + 8
    return head + BoxesFile.box("meta", meta(start)) + (isInside ? [] : BoxesFile.box("mdat", data))
  }

  private func meta(_ start: Int) -> [UInt8] {
    BoxesForm.full(0) + before + main + places(isInside ? 0 : start) + list + propertiesBox
      + (isInside ? BoxesFile.box("idat", data) : []) + behind
  }

  private var main: [UInt8] {
    BoxesFile.box("pitm", BoxesForm.full(mainVersion) + big(1, count: mainVersion == 0 ? 2 : 4))
  }

  private func places(_ start: Int) -> [UInt8] {
    let number = placesVersion < 2 ? 2 : 4
    var content = BoxesForm.full(placesVersion)
    content += [
      UInt8(sizes.offset << 4 | sizes.length),
      UInt8(sizes.base << 4 | (placesVersion == 0 ? 0 : sizes.index)),
    ]
    content += big(2 + placesError, count: number)
    let all = parts + [data.count - parts.reduce(0, +)]
    for (item, lengths) in [(1, [0]), (2, all)] {
      content += big(item, count: number)
      if placesVersion > 0 { content += big(0xABC0 | (isInside ? 1 : 0), count: 2) }
      let base = sizes.base == 0 ? 0 : sizes.offset == 0 ? start : start - 3
      content += [0, 0] + big(base, count: sizes.base) + big(lengths.count, count: 2)
      var offset = start - base
      for (index, length) in lengths.enumerated() {
        if placesVersion > 0 { content += big(0x0077_7777_7777_7777, count: sizes.index) }
        content += big(offset, count: sizes.offset)
        content += big(endsWithSource && index == lengths.count - 1 ? 0 : length, count: sizes.length)
        offset += length
      }
    }
    return BoxesFile.box("iloc", content)
  }

  private var list: [UInt8] {
    var entries: [UInt8] = []
    for (item, type) in [(1, "av01"), (2, "Exif")] {
      var content: [UInt8] = BoxesForm.full(entryVersion) + big(item, count: entryVersion == 2 ? 2 : 4)
      content += [0, 0]
      content += Array(type.utf8) + [0]
      entries += BoxesFile.box("infe", content)
    }
    return BoxesFile.box(
      "iinf", BoxesForm.full(listVersion) + big(2 + listError, count: listVersion == 0 ? 2 : 4) + entries)
  }

  private var propertiesBox: [UInt8] {
    let number = associationsVersion == 0 ? 2 : 4
    let (wide, essential) = hasWideAssociations ? (2, 0x8000) : (1, 0x80)
    let head =
      BoxesForm.full(associationsVersion, hasWideAssociations ? 1 : 0)
      + big(2 + others.items + associationsError, count: 4)
    // Every second property is essential. Another item is before the main one.
    let list = associations.enumerated().flatMap { index, number -> [UInt8] in
      big(number | (index.isMultiple(of: 2) ? essential : 0), count: wide)
    }
    let other = big(2, count: number) + [2] + big(1, count: wide) + big(1, count: wide)
    let more = (0..<others.items).flatMap { item -> [UInt8] in
      var list = big(3 + item, count: number) + [UInt8(others.properties)]
      for _ in 0..<others.properties { list += big(1, count: wide) }
      return list
    }
    return BoxesFile.box(
      "iprp",
      BoxesFile.box("ipco", properties.flatMap { $0 })
        + BoxesFile.box(
          "ipma", head + other + more + big(1, count: number) + [UInt8(associations.count)] + list))
  }
}
