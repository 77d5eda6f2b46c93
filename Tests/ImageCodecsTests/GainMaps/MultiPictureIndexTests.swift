import ImageCodecs
import Testing

@Suite("Gain maps: index of images")
struct MultiPictureIndexTests {
  /// A JPEG with an index, and the map behind it.
  private struct File {
    var magic = Array("MM\0*".utf8)
    /// Fields before the list of images.
    var fieldsBefore = 0
    /// Sizes and places of the images before the map: beyond the file, unless they are another.
    var before: [(size: Int, place: Int)] = []
    var tag = 0xB002
    /// What is added to the length of the list.
    var lengthError = 0
    let main: [UInt8]
    let map: [UInt8]

    init() throws {
      let file = try GainMapFile(Samples.picture(16, 8, .rgb8), map: Samples.picture(8, 8, .gray8))
      main = file.main
      map = file.map.addingToJPEG(file.metadata)
    }

    var bytes: [UInt8] {
      let list = 8 + 2 + (fieldsBefore + 1) * 12
      let count = 16 * (before.count + 2)
      let other = big(0xB000, count: 2) + big(7, count: 2) + big(4, count: 4) + Array("0100".utf8)
      let field =
        big(tag, count: 2) + big(7, count: 2) + big(count + lengthError, count: 4) + big(list, count: 4)
      let fields = (0..<fieldsBefore).flatMap { _ in other } + field
      // Marker, length and name are eight bytes, of which the first two of the main image are before.
      let place = main.count + list + count
      let images = [(size: 0, place: 0)] + before + [(size: map.count, place: place - 2)]
      let entries = images.flatMap { image -> [UInt8] in
        big(0, count: 4) + big(image.size, count: 4) + big(image.place, count: 4) + big(0, count: 4)
      }
      let tiff = magic + big(8, count: 4) + big(fieldsBefore + 1, count: 2) + fields + entries
      return main.addingToJPEG(JPEGFile.segment(0xE2, Array("MPF\0".utf8) + tiff)) + map
    }

    var hasMap: Bool {
      get throws { try ImageDecoder.decode(bytes, options: GainMaps.decoding).gainMap != nil }
    }
  }

  @Test("The list of images is among the first hundred fields")
  func fields() throws {
    for (count, isFound) in [(0, true), (1, true), (99, true), (100, false)] {
      var file = try File()
      file.fieldsBefore = count
      #expect(try file.hasMap == isFound, "\(count)")
    }
    var file = try File()
    file.tag = 0xB003
    #expect(try !file.hasMap)
    for magic in ["MM\0+", "II\0*", "MM*\0", "II+\0"] {
      file = try File()
      file.magic = Array(magic.utf8)
      #expect(try !file.hasMap, "\(magic)")
    }
  }

  @Test("Fifteen images behind the first are looked at, and four of those that are in the file")
  func images() throws {
    let (beyond, ofOne, atStart) = ((9, 1 << 30), (1, 1), (9, 0))
    for (count, images, isFound) in [
      (14, beyond, true), (15, beyond, false), (3, ofOne, true), (4, ofOne, false), (14, atStart, true),
      (14, (0, 9), true),
      (4, (9, 1), false), (4, (1, 9), false),
    ] {
      var file = try File()
      file.before = (0..<count).map { _ in (size: images.0, place: images.1) }
      #expect(try file.hasMap == isFound, "\(count) \(images)")
    }
  }

  @Test("A list has as many images as its length says")
  func lengths() throws {
    for (error, isFound) in [
      (0, true), (15, true), (16, true), (-1, false), (-16, false), (-17, false), (-31, false), (-32, false),
    ] {
      var file = try File()
      file.lengthError = error
      #expect(try file.hasMap == isFound, "\(error)")
    }
  }

  @Test("The first index of a file and the first metadata of each kind are used")
  func twice() throws {
    func maximum(_ metadata: [UInt8], behindIndex: [UInt8] = []) throws -> Double? {
      var file = try GainMapFile(Samples.picture(16, 8, .rgb8), map: Samples.picture(8, 8, .gray8))
      file.metadata = metadata
      file.main = file.main.addingToJPEG(behindIndex)
      return try ImageDecoder.decode(file.bytes, options: GainMaps.decoding).gainMap?.metadata.red.maximum
    }
    let texts = [3, 2].map {
      GainMapFile.xmp(GainMapFile.usual.replacing("GainMapMax=\"3\"", with: "GainMapMax=\"\($0)\""))
    }
    let numbers = [1, 2].map { GainMapFile.iso(flags: 8, [1, 0, 3, 0, $0, 1, 0, 0]) }

    #expect(try maximum(texts[0] + texts[1]) == 3 && maximum(texts[1] + texts[0]) == 2)
    #expect(try maximum(numbers[0] + numbers[1]) == 1 && maximum(numbers[1] + numbers[0]) == 2)
    #expect(try maximum(texts[0] + numbers[1]) == 2)
    #expect(try maximum(texts[0], behindIndex: JPEGFile.segment(0xE2, Array("MPF\0MM\0*".utf8))) == 3)
  }
}
