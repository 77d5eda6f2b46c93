import Foundation
import StreamImages
import StreamImagesTesting

/// Files with metadata of each kind.
enum AnnotatedPicture {
  static let xmp = """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
      exif:GPSLatitude="33,51.594S" exif:GPSLongitude="151,12.66666E">
    <dc:title><rdf:Alt><rdf:li xml:lang="x-default">Tower</rdf:li></rdf:Alt></dc:title>
    </rdf:Description></rdf:RDF></x:xmpmeta>
    """

  /// Exif data with a camera, an artist, a copyright and a position.
  static var exif: [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    func degrees(_ whole: Int) -> [UInt8] { [whole, 1, 30, 1, 0, 1].flatMap { number($0, 4) } }
    /// A directory, and the values that do not fit into it.
    func directory(_ entries: [(tag: Int, type: Int, count: Int, bytes: [UInt8])], at start: Int) -> [UInt8] {
      var values: [UInt8] = []
      var directory = number(entries.count, 2)
      for entry in entries {
        directory += number(entry.tag, 2) + number(entry.type, 2) + number(entry.count, 4)
        if entry.bytes.count <= 4 {
          directory += (entry.bytes + [0, 0, 0, 0]).prefix(4)
        } else {
          directory += number(start + 2 + entries.count * 12 + 4 + values.count, 4)
          values += entry.bytes
        }
      }
      return directory + number(0, 4) + values
    }
    let (make, artist, rights) = (Array("Maker\0".utf8), Array("Artist\0".utf8), Array("Rights\0".utf8))
    let (text, long, rational, start) = (2, 4, 5, 8)
    func image(_ position: Int) -> [UInt8] {
      directory(
        [
          (0x010F, text, make.count, make), (0x013B, text, artist.count, artist),
          (0x8298, text, rights.count, rights), (0x8825, long, 1, number(position, 4)),
        ], at: start)
    }
    let position = start + image(0).count
    return Array("II*\0".utf8) + number(start, 4) + image(position)
      + directory(
        [
          (1, text, 2, Array("S\0".utf8)), (2, rational, 3, degrees(33)), (3, text, 2, Array("E\0".utf8)),
          (4, rational, 3, degrees(151)),
        ], at: position)
  }

  static func file(_ width: Int, _ height: Int, as encoding: ImageEncoder.Encoding = .jpeg()) throws -> Data {
    var metadata = ImageMetadata()
    metadata.exif = ExifData(bytes: exif)
    metadata.xmp = XMPData(bytes: xmp.utf8)
    return Data(
      try ImageEncoder.encode(
        Pictures.gradient(width, height), as: encoding, keeping: [.all, .location], of: metadata))
  }
}
