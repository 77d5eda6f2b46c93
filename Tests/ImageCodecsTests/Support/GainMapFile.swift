import Foundation
import ImageCodecs

/// A JPEG with a gain map behind it, put together by hand: right or wrong.
struct GainMapFile {
  enum Index { case bigEndian, littleEndian, directory, none }

  /// Whole files.
  var main: [UInt8]
  var map: [UInt8]
  var index = Index.bigEndian
  /// Segments of the map.
  var metadata: [UInt8] = GainMapFile.xmp(Self.usual)
  /// What is added to the place and the size in the index.
  var placeError = 0
  var sizeError = 0
  /// Images behind the map.
  var others: [[UInt8]] = []

  init(_ image: Image, map: Image, quality: Double = 0.95) throws {
    main = try ImageEncoder.encode(image, as: .jpeg(quality: quality))
    self.map = try ImageEncoder.encode(map, as: .jpeg(quality: quality))
  }

  static let usual = #"hdrgm:Version="1.0" hdrgm:GainMapMax="3" hdrgm:HDRCapacityMax="3""#

  /// A segment with XMP: attributes and elements of Adobe's namespace.
  static func xmp(_ attributes: String, elements: String = "", prefix: String = "hdrgm") -> [UInt8] {
    segment(
      "<rdf:Description xmlns:\(prefix)='http://ns.adobe.com/hdr-gain-map/1.0/' \(attributes)>\(elements)</rdf:Description>"
    )
  }

  private static func segment(_ text: String) -> [UInt8] {
    let rdf = "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'"
    let packet = "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF \(rdf)>\(text)</rdf:RDF></x:xmpmeta>"
    return JPEGFile.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0\(packet)".utf8))
  }

  /// A segment after ISO 21496-1.
  static func iso(flags: UInt8, _ numbers: [Int], version: Int = 0) -> [UInt8] {
    let name = Array("urn:iso:std:iso:ts:21496:-1\0".utf8)
    let head = big(version, count: 2) + [0, 0, flags]
    return JPEGFile.segment(0xE2, name + head + numbers.flatMap { big($0, count: 4) })
  }

  var bytes: [UInt8] {
    let second = map.addingToJPEG(metadata)
    let directory = Self.directory([second] + others)
    let head: [UInt8] =
      switch index {
      case .bigEndian, .littleEndian: self.mpf(second.count)
      case .directory: directory
      case .none: []
      }
    return main.addingToJPEG(head) + second + others.flatMap { $0 }
  }

  private static func directory(_ images: [[UInt8]]) -> [UInt8] {
    let semantics = ["GainMap"] + images.dropFirst().map { _ in "MotionPhoto" }
    let items = zip(semantics, images).map { semantic, image in
      "<rdf:li><C:Item I:Mime='image/jpeg' I:Semantic='\(semantic)' I:Length='\(image.count)'/></rdf:li>"
    }
    return segment(
      """
      <rdf:Description xmlns:C='http://ns.google.com/photos/1.0/container/' \
      xmlns:I='http://ns.google.com/photos/1.0/container/item/'><C:Directory><rdf:Seq>\
      <rdf:li><C:Item I:Semantic="Primary"/></rdf:li>\(items.joined())</rdf:Seq></C:Directory></rdf:Description>
      """)
  }

  private func mpf(_ byteCount: Int) -> [UInt8] {
    let number = { (value: Int, count: Int) in
      self.index == .bigEndian ? big(value, count: count) : little(value, count: count)
    }
    // Marker, length and name, the head of a TIFF, one field, and two entries: 66 bytes.
    let place = main.count + 66 - 10 + placeError
    let field = number(0xB002, 2) + number(7, 2) + number(32, 4) + number(26, 4)
    let first = number(0x3_0000, 4) + number(main.count, 4) + number(0, 8)
    let second = number(0, 4) + number(byteCount + sizeError, 4) + number(place, 4) + number(0, 4)
    let tiff = Array((index == .bigEndian ? "MM" : "II").utf8) + number(42, 2) + number(8, 4)
    return JPEGFile.segment(
      0xE2, Array("MPF\0".utf8) + tiff + number(1, 2) + field + number(0, 4) + first + second)
  }
}

/// A reader of files with gain maps that shares nothing with the one under test.
struct GainMapReader {
  let map: [UInt8]
  /// The XMP of the first image, and that of the map.
  let texts: [String]
  /// The content of the segments of ISO 21496-1.
  let iso: [[UInt8]]

  init?(_ file: [UInt8]) {
    let main = Self.segments(file)
    guard let (start, content) = main.first(where: { $0.content.starts(with: Array("MPF\0MM\0*".utf8)) })
    else { return nil }
    let words = stride(from: content.count - 32, to: content.count, by: 4).map { offset in
      content[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    // The first entry has the size of the first image, where the second one begins.
    let place = start + 4 + words[6]
    guard words.count == 8, words[0] == 0x3_0000, words[1] == place, place + words[5] == file.count else {
      return nil
    }
    map = Array(file[place...])
    let all = [main, Self.segments(map)]
    texts = all.compactMap { Self.content($0, of: "http://ns.adobe.com/xap/1.0/\0") }
      .map { String(decoding: $0, as: UTF8.self) }
    iso = all.compactMap { Self.content($0, of: "urn:iso:std:iso:ts:21496:-1\0") }
  }

  /// The value of an attribute of the map.
  func number(_ name: String) -> Double? {
    let parts = texts[1].components(separatedBy: "hdrgm:\(name)=\"")
    return parts.count == 2 ? Double(parts[1].prefix { $0 != "\"" }) : nil
  }

  private static func content(_ segments: [(start: Int, content: [UInt8])], of name: String) -> [UInt8]? {
    segments.first { $0.content.starts(with: Array(name.utf8)) }.map {
      Array($0.content.dropFirst(name.utf8.count))
    }
  }

  /// Those before the first scan, with the offset of their content.
  private static func segments(_ file: [UInt8]) -> [(start: Int, content: [UInt8])] {
    var (result, position) = ([(start: Int, content: [UInt8])](), 2)
    while position + 4 <= file.count, file[position] == 0xFF, file[position + 1] != 0xDA {
      let length = Int(file[position + 2]) << 8 | Int(file[position + 3])
      result.append((position + 4, Array(file[position + 4..<position + 2 + length])))
      position += 2 + length
    }
    return result
  }
}

/// Photographs with gain maps, to look at what becomes of them.
enum GainMaps {
  static let metadata = GainMap.Metadata(GainMap.Channel(maximum: 3), headroom: 3)
  static let decoding = DecodingOptions(keepsGainMap: true)

  /// Part of a photograph whose highlights are up to eight times as bright. The map is a quarter as large, and smooth like
  /// those of cameras.
  static func photograph() throws -> Image {
    var image = try ImageDecoder.decode(Files.photograph()).cropped(x: 0, y: 0, width: 512, height: 384)
    let gray = try image.recolored(by: .saturation(0)).recolored(gamma: 2)
    let small = try gray.blurred(radius: 8).resized(to: ResizeTarget(width: 128, height: 96))
    let bytes = small.bytes.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
    image.gainMap = try GainMap(
      image: Image(bytes: bytes, width: 128, height: 96, pixelFormat: .gray8), metadata: metadata)
    return image
  }
}

extension LinearImage {
  /// Roots of an eighth of the light, in sixteen bits. The values of SDR are roots of light as well, so that resizing averages
  /// nearly the same numbers.
  func roots() throws -> Image {
    let roots = samples.map { UInt16((min(max($0 / 8, 0), 1).squareRoot() * 65_535).rounded()) }
    return try roots.withUnsafeBytes { bytes in
      try Image(bytes: bytes, width: width, height: height, pixelFormat: .rgb16, colorSpace: .untagged)
    }
  }
}

extension Image {
  /// How close two images of sixteen bits are, in decibels.
  func wideLikeness(to other: Image) -> Double {
    guard size == other.size, pixelFormat == other.pixelFormat else { return 0 }
    let squares = zip(samples, other.samples).reduce(0.0) { sum, pair in
      let difference = (Double(pair.0) - Double(pair.1)) / 65_535
      return sum + difference * difference
    }
    return squares == 0 ? 99 : -10 * log10(squares / Double(samples.count))
  }
}
