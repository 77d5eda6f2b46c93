/// Exif data put together by hand, right or wrong.
struct ExifFile {
  struct Entry {
    var tag: Int
    var type: Int
    var count: Int
    /// In the byte order of the file.
    var bytes: [UInt8]
  }

  var isBigEndian = true
  /// The directories of the image, the photograph, the position, and of interoperability.
  var image: [Entry] = []
  var photo: [Entry] = []
  var position: [Entry] = []
  var interoperability: [Entry] = []

  func number(_ value: Int, _ count: Int) -> [UInt8] {
    isBigEndian ? big(value, count: count) : little(value, count: count)
  }

  func text(_ tag: Int, _ text: String) -> Entry {
    Entry(tag: tag, type: 2, count: text.utf8.count + 1, bytes: Array(text.utf8) + [0])
  }

  func short(_ tag: Int, _ value: Int) -> Entry {
    Entry(tag: tag, type: 3, count: 1, bytes: number(value, 2))
  }

  func fractions(_ tag: Int, _ pairs: [(Int, Int)], isSigned: Bool = false) -> Entry {
    Entry(
      tag: tag, type: isSigned ? 10 : 5, count: pairs.count,
      bytes: pairs.flatMap { number($0.0, 4) + number($0.1, 4) })
  }

  /// A photograph with tags in all directories.
  static func photograph(isBigEndian: Bool, orientation: Int = 6) -> ExifFile {
    var file = ExifFile(isBigEndian: isBigEndian)
    file.image = [
      file.text(0x010E, "A lighthouse"), file.text(0x010F, "Maker"), file.text(0x0110, "Model 7 "),
      file.short(0x0112, orientation), file.text(0x0131, "Firmware 1.0"),
      file.text(0x0132, "2024:05:02 08:00:01"),
      file.text(0x013B, "Ada; Grace"), file.text(0x8298, "© Ada 2024"),
    ]
    file.photo = [
      file.fractions(0x829A, [(1, 250)]), file.fractions(0x829D, [(28, 10)]), file.short(0x8827, 400),
      file.text(0x9003, "2024:05:01 12:30:15"), file.text(0x9011, "-03:30"), file.text(0x9291, "25"),
      file.fractions(0x9204, [(-2, 3)], isSigned: true), file.short(0x9209, 9),
      file.fractions(0x920A, [(50, 1)]),
      Entry(tag: 0x927C, type: 7, count: 12, bytes: Array("secret notes".utf8)),
      file.short(0xA405, 75), file.text(0xA431, "SN-12345"), file.text(0xA434, "50 mm"),
    ]
    file.position = [
      file.text(0x0001, "S"), file.fractions(0x0002, [(33, 1), (51, 1), (3_564, 100)]),
      file.text(0x0003, "E"),
      file.fractions(0x0004, [(151, 1), (12, 1), (4_000, 100)]),
      Entry(tag: 0x0005, type: 1, count: 1, bytes: [1]), file.fractions(0x0006, [(25, 2)]),
      file.fractions(0x0007, [(2, 1), (30, 1), (61, 4)]), file.text(0x001D, "2024:05:01"),
    ]
    file.interoperability = [file.text(0x0001, "R03")]
    return file
  }

  var bytes: [UInt8] {
    var output = Array((isBigEndian ? "MM" : "II").utf8) + number(42, 2) + number(8, 4)
    /// Appends a directory and returns its place.
    func append(_ entries: [Entry], links: [(tag: Int, place: Int)]) -> Int {
      let all = entries + links.map { Entry(tag: $0.tag, type: 4, count: 1, bytes: number($0.place, 4)) }
      let start = output.count
      var values: [UInt8] = []
      var directory = number(all.count, 2)
      for entry in all.sorted(by: { $0.tag < $1.tag }) {
        directory += number(entry.tag, 2) + number(entry.type, 2) + number(entry.count, 4)
        if entry.bytes.count <= 4 {
          directory += entry.bytes + [UInt8](repeating: 0, count: 4 - entry.bytes.count)
        } else {
          directory += number(start + 2 + all.count * 12 + 4 + values.count, 4)
          values += entry.bytes + (entry.bytes.count % 2 == 1 ? [0] : [])
        }
      }
      output += directory + number(0, 4) + values
      return start
    }
    // The first directory comes last, so that all places are known.
    var links: [(tag: Int, place: Int)] = []
    var inner: [(tag: Int, place: Int)] = []
    if !interoperability.isEmpty { inner = [(0xA005, append(interoperability, links: []))] }
    if !photo.isEmpty { links.append((0x8769, append(photo, links: inner))) }
    if !position.isEmpty { links.append((0x8825, append(position, links: []))) }
    let first = append(image, links: links)
    output.replaceSubrange(4..<8, with: number(first, 4))
    return output
  }
}

/// Data sets of IPTC.
func iptcSet(_ number: UInt8, _ text: String, record: UInt8 = 2) -> [UInt8] {
  [0x1C, record, number] + big(text.utf8.count, count: 2) + Array(text.utf8)
}

enum PhotographFile {
  static let xmp = """
    <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:exif="http://ns.adobe.com/exif/1.0/"
      xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
      xmlns:xmpRights="http://ns.adobe.com/xap/1.0/rights/" xmlns:drone="http://www.dji.com/drone-dji/1.0/"
      xmp:Rating="4" tiff:Orientation="6" exif:GPSLatitude="33,51.594S" drone:RelativeAltitude="+99.5">
    <dc:title><rdf:Alt><rdf:li xml:lang="de">Turm</rdf:li><rdf:li xml:lang="x-default">Tower &amp; sea</rdf:li></rdf:Alt></dc:title>
    <dc:subject><rdf:Bag><rdf:li>coast</rdf:li><rdf:li>night</rdf:li></rdf:Bag></dc:subject>
    <exif:GPSLongitude>151,12.66666E</exif:GPSLongitude>
    <xmpRights:WebStatement>https://example.com/rights</xmpRights:WebStatement>
    </rdf:Description></rdf:RDF></x:xmpmeta>
    <?xpacket end="w"?>
    """

  static let iptc =
    iptcSet(90, "\u{1B}%G", record: 1) + iptcSet(80, "Ada L.") + iptcSet(25, "coast") + iptcSet(90, "Sydney")
    + iptcSet(116, "© IPTC") + iptcSet(110, "Agency")

  static let photoshop =
    Array("Photoshop 3.0\0".utf8) + Array("8BIM".utf8) + [4, 4, 0, 0] + big(iptc.count, count: 4) + iptc

  /// A JPEG with all blocks.
  static func jpeg(_ plain: [UInt8], orientation: Int = 6, isBigEndian: Bool = true) -> [UInt8] {
    let exif = ExifFile.photograph(isBigEndian: isBigEndian, orientation: orientation).bytes
    return plain.addingToJPEG(
      Exif.segment(exif)
        + JPEGFile.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(xmp.utf8))
        + JPEGFile.segment(0xED, photoshop))
  }
}
