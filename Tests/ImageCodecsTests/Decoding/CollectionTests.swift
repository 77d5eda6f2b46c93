import Foundation
import ImageCodecs
import Testing

@Suite("Byte collections")
struct CollectionTests {
  @Test("`ImageDecoder` decodes `Data`, slices and lazy collections like arrays")
  func decoding() throws {
    let bytes = try Files.bytes("picture.png")
    let expected = try ImageDecoder.decode(bytes)
    let data = Data(bytes)
    // Its first index is not 0.
    let slice = ([0, 0] + bytes).dropFirst(2)
    let scattered = bytes.lazy.map { $0 }

    #expect(try ImageDecoder.decode(data) == expected)
    #expect(try ImageDecoder.decode(slice) == expected)
    #expect(try ImageDecoder.decode(scattered) == expected)
    #expect(try ImageDecoder.decodeAvailable(data).image == expected)
    #expect(try ImageDecoder.info(of: data) == ImageDecoder.info(of: bytes))
    #expect(try ImageDecoder.byteCost(of: data) == ImageDecoder.byteCost(of: bytes))
    #expect(throws: ImageCodecError.truncated) { try ImageDecoder.decode(data.prefix(20)) }
  }

  @Test("`AnimationReader` and `embeddedThumbnail` accept any collection of bytes")
  func reading() throws {
    let bytes = try Files.bytes("animated.webp")
    let expected = try AnimationReader(bytes).next()

    #expect(try AnimationReader(Data(bytes)).next() == expected)
    #expect(try AnimationReader(bytes.lazy.map { $0 }).next() == expected)
    #expect(try ImageDecoder.embeddedThumbnail(of: Data(bytes)) == nil)
  }
}
