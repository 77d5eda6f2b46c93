extension ImageEncoder {
  /// The AVIF with its gain map beside the image, and a derived image of both, as ISO/IEC 23008-12 describes it.
  static func adding(
    _ gainMap: GainMap, toAVIF file: [UInt8], quality: Double
  ) throws(ImageCodecError) -> [UInt8] {
    let map = try encodeBoxes(gainMap.image, as: .avif, quality: quality, .none)
    guard var contents = BoxesContents(file), let other = BoxesContents(map),
      let main = contents.items.first(where: { $0.number == contents.main })
    else { throw .encodingFailed("a gain map in a file that cannot be extended") }
    let number = contents.add(other)
    // The size of the main image, and colors that are brighter: BT.709 with the curve PQ.
    let size = main.properties.filter { contents.properties[$0 - 1][4...].starts(with: "ispe".utf8) }
    let (count, derived) = (contents.properties.count, contents.lastNumber + 1)
    contents.properties += [
      Box.bytes("pixi", [0, 0, 0, 0, 3, 10, 10, 10]),
      Box.bytes("colr", Array("nclx".utf8) + [0, 1, 0, 16, 0, 0, 0x80]),
    ]
    let data = gainMap.metadata.toneMap
    // Behind the others, because numbers have to increase.
    contents.items.append(
      .init(
        number: derived, entry: [UInt8](joining: [0, 0], Array("tmap".utf8), [0]),
        properties: size + [count + 1, count + 2],
        data: data))
    contents.references.append((Array("dimg".utf8), derived, [contents.main, number]))
    contents.alternatives = [derived, contents.main]
    contents.brands += Array("tmap".utf8)
    guard let whole = contents.file else { throw .encodingFailed("a gain map in a file of too many parts") }
    return whole
  }
}
