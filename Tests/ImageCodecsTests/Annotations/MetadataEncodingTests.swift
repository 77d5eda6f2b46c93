import ImageCodecs
import Testing

@Suite("Encoding with metadata")
struct MetadataEncodingTests {
  static let encodings = [
    ImageEncoder.Encoding.jpeg(), .png, .webp(), .losslessWebP, .avif(), .heic(), .jpegXL(),
    .losslessJPEGXL(),
  ].writable

  private let source: ImageMetadata
  private let image: Image

  init() throws {
    source = try ImageMetadata(of: PhotographFile.jpeg(JPEGFile().bytes))
    image = try Samples.picture(40, 20, .rgb8)
  }

  @Test("Nothing is written unless it is asked for", arguments: encodings)
  func none(encoding: ImageEncoder.Encoding) throws {
    let plain = try ImageEncoder.encode(image, as: encoding)

    #expect(try ImageEncoder.encode(image, as: encoding, keeping: .none, of: source) == plain)
    #expect(try ImageMetadata(of: plain).exif == nil)
    #expect(try ImageMetadata(of: plain).xmp == nil)
  }

  @Test("Everything but positions is kept, upright and with the new size", arguments: encodings)
  func all(encoding: ImageEncoder.Encoding) throws {
    let file = try ImageEncoder.encode(image, as: encoding, keeping: .all, of: source)
    let metadata = try ImageMetadata(of: file)
    let exif = try #require(metadata.exif)

    #expect(try ImageDecoder.decode(file).size == image.size)
    #expect(exif["Orientation"] == .integers([1]))
    #expect(exif["PixelXDimension"] == .integers([40]))
    #expect(exif["PixelYDimension"] == .integers([20]))
    #expect(exif["MakerNote"] == nil)
    #expect(exif["InteroperabilityIndex"] == nil)
    #expect(metadata.exposure == source.exposure)
    #expect(metadata.taken == source.taken)
    #expect(metadata.camera == source.camera)
    #expect(metadata.title == "Tower & sea")
    #expect(metadata.keywords == ["coast", "night"])
    #expect(metadata.creators == ["Ada L."])
    #expect(metadata.copyright == "© IPTC")
    #expect(metadata.city == "Sydney")
    #expect(metadata.iptc?.dataSets.count == (encoding.format == .jpeg ? 6 : nil))
    #expect(metadata.location == nil)
    #expect(!exif.tags.contains { $0.directory == .location })
    let text = String(decoding: metadata.xmp?.bytes ?? [], as: UTF8.self)
    #expect(!["33,51", "151,12", "99.5", "tiff:Orientation"].contains { text.contains($0) })
  }

  @Test("A position is kept on request, in Exif and in XMP", arguments: encodings)
  func location(encoding: ImageEncoder.Encoding) throws {
    let exifAddress = "http://ns.adobe.com/exif/1.0/"
    for kept: KeptMetadata in [.location, [.all, .location]] {
      let metadata = try ImageMetadata(
        of: ImageEncoder.encode(image, as: encoding, keeping: kept, of: source))

      #expect(metadata.location == source.location)
      #expect(metadata.xmp?.values(exifAddress, "GPSLongitude") == ["151,12.66666E"])
      #expect((metadata.camera.make == nil) == !kept.contains(.descriptions))
    }
  }

  @Test("The copyright alone has creators, rights and credit, and no other word", arguments: encodings)
  func copyright(encoding: ImageEncoder.Encoding) throws {
    let file = try ImageEncoder.encode(image, as: encoding, keeping: .copyright, of: source)
    let metadata = try ImageMetadata(of: file)

    #expect(metadata.creators == ["Ada L."])
    #expect(metadata.copyright == "© IPTC")
    #expect(metadata.credit == "Agency")
    #expect(metadata.rightsPage == "https://example.com/rights")
    #expect(metadata.exif?["Artist"] == .text("Ada; Grace"))
    #expect((metadata.title, metadata.caption, metadata.camera.make, metadata.taken) == (nil, nil, nil, nil))
    #expect((metadata.keywords, metadata.city, metadata.location?.altitude) == ([], nil, nil))
    for word in ["Tower", "coast", "Sydney", "SN-12345", "151,12", "lighthouse"] {
      #expect(file.positions(of: Array(word.utf8)).isEmpty, "\(word)")
    }
  }

  @Test("The color space is named on request, and the colors stay the same")
  func color() throws {
    let none = ImageMetadata()
    for encoding in [ImageEncoder.Encoding.jpeg(), .losslessWebP] {
      let file = try ImageEncoder.encode(image, as: encoding, keeping: .color, of: none)
      #expect(try ImageMetadata(of: file).colorProfile == ICCProfile.sRGB)
      #expect(
        try ImageDecoder.decode(file).likeness(
          to: ImageDecoder.decode(ImageEncoder.encode(image, as: encoding))) > 50)
    }
    var untagged = image
    untagged.colorSpace = .untagged
    let png = try ImageEncoder.encode(untagged, as: .png, keeping: .color, of: none)
    #expect(try ImageDecoder.decode(png).colorSpace == .sRGB)
    let gray = try Samples.picture(8, 8, .gray8)
    #expect(
      try ImageEncoder.encode(gray, as: .jpeg(), keeping: .color, of: none)
        == ImageEncoder.encode(gray, as: .jpeg()))
  }

  @Test("The profile of the original is not written for converted pixels, and Exif says what they are")
  func profile() throws {
    var source = source
    source.colorProfile = .displayP3
    let converted = try ImageMetadata(of: ImageEncoder.encode(image, as: .jpeg(), keeping: .all, of: source))
    #expect(converted.colorProfile == ICCProfile.sRGB)
    #expect(converted.exif?["ColorSpace"] == .integers([1]))

    var wide = image
    wide.colorSpace = .profile(try #require(.displayP3))
    let kept = try ImageMetadata(of: ImageEncoder.encode(wide, as: .jpeg(), keeping: .all, of: source))
    #expect(kept.colorProfile == ICCProfile.displayP3)
    #expect(kept.exif?["ColorSpace"] == .integers([0xFFFF]))
  }

  @Test("XMP beside a gain map declares the namespaces that its properties use")
  func namespaces() throws {
    let names = (0..<40).map { "n\($0)" }
    let declarations = names.map { " xmlns:\($0)=\"urn:\($0)\"" }.joined()
    let descriptions = names.map { "<rdf:Description><\($0):a>\($0)</\($0):a></rdf:Description>" }.joined()
    let rdf = "xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\""
    var metadata = ImageMetadata()
    metadata.xmp = XMPData(bytes: "<rdf:RDF \(rdf)\(declarations)>\(descriptions)</rdf:RDF>".utf8)
    let photo = try Files.image("gain-map-xmp.jpg", DecodingOptions(keepsGainMap: true))

    let file = try ImageEncoder.encode(photo, as: .jpeg(), keeping: .all, of: metadata)

    let xmp = try #require(try ImageMetadata(of: file).xmp)
    for name in names { #expect(xmp.values("urn:\(name)", "a") == [name]) }
    // All namespaces in each of the descriptions would be 24,000 bytes and more.
    #expect(xmp.bytes.count < 12_000)
  }

  @Test("A JPEG with a gain map has one packet of XMP, with the properties of both")
  func gainMap() throws {
    let photo = try ImageDecoder.decode(
      Files.bytes("gain-map-iso.jpg"), options: DecodingOptions(keepsGainMap: true))
    let file = try ImageEncoder.encode(photo, as: .jpeg(), keeping: .all, of: source)
    let again = try ImageDecoder.decode(file, options: DecodingOptions(keepsGainMap: true))
    let metadata = try ImageMetadata(of: file)

    #expect(again.gainMap?.metadata == photo.gainMap?.metadata)
    #expect(metadata.title == "Tower & sea")
    #expect(metadata.xmp?.values("http://ns.adobe.com/hdr-gain-map/1.0/", "Version") == ["1.0"])
    // One for the image, and one for its map.
    #expect(file.positions(of: Array("http://ns.adobe.com/xap/1.0/\0".utf8)).count == 2)
  }

  @Test("Statements about a gain map or about panoramas of the original are not kept")
  func foreign() throws {
    let text = PhotographFile.xmp.replacing(
      "<dc:title>",
      with: "<hdrgm:Version xmlns:hdrgm='http://ns.adobe.com/hdr-gain-map/1.0/'>1.0</hdrgm:Version>"
        + "<G:Pano xmlns:G='http://ns.google.com/photos/1.0/panorama/'>9</G:Pano><dc:title>")
    var source = source
    source.xmp = XMPData(bytes: Array(text.utf8))
    let xmp = try #require(
      try ImageMetadata(of: ImageEncoder.encode(image, as: .png, keeping: .all, of: source)).xmp)

    #expect(source.xmp?.values("http://ns.adobe.com/hdr-gain-map/1.0/", "Version") == ["1.0"])
    #expect(xmp.values("http://ns.adobe.com/hdr-gain-map/1.0/", "Version") == [])
    #expect(xmp.values("http://ns.google.com/photos/1.0/panorama/", "Pano") == [])
    #expect(source.title == "Tower & sea")
  }

  @Test("XMP that is not well-formed is not written, and texts of other blocks are")
  func notWellFormed() throws {
    var source = source
    source.xmp = XMPData(bytes: Array((PhotographFile.xmp.dropLast(60) + "<GPS>33,51.594S").utf8))
    let file = try ImageEncoder.encode(image, as: .png, keeping: .all, of: source)

    #expect(file.positions(of: Array("33,51".utf8)).isEmpty)
    #expect(try ImageMetadata(of: file).keywords == ["coast"])
  }

  @Test("Metadata without room in a JPEG is an error, and other formats have room for it")
  func tooLarge() throws {
    var source = source
    let long = String(repeating: "long ", count: 14_000)
    source.xmp = XMPData(bytes: Array(PhotographFile.xmp.replacing("Tower &amp; sea", with: long).utf8))

    #expect { try ImageEncoder.encode(image, as: .jpeg(), keeping: .all, of: source) } throws: {
      ($0 as? ImageCodecError)?.kind == "encodingFailed"
    }
    let file = try ImageEncoder.encode(image, as: .webp(), keeping: .all, of: source)
    #expect(try ImageMetadata(of: file).title == String(long.dropLast()))
  }
}
