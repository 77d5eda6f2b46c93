import Foundation
import ImageCodecs
import Testing

/// Names and values beside exiftool, which another person wrote.
///
/// With its sample files in the folder `EXIFTOOL_SAMPLES` (`t/images` of its source package), these are compared too.
@Suite("Metadata beside exiftool", .enabled(if: Exiftool.isThere, "exiftool is not installed"))
struct ExiftoolTests {
  @Test("Every tag and text that exiftool writes is read with the value that exiftool reads")
  func written() throws {
    let file = try Exiftool.scratch(Files.smallest(.jpeg), "jpg")
    defer { Exiftool.remove(file) }
    _ = try Exiftool.run(
      ["-overwrite_original", "-codedcharacterset=utf8"] + Exiftool.assignments.map { "-\($0)" } + [file])
    let compared = try Exiftool.compare(file)

    #expect(compared.differences == [])
    #expect(compared.count >= 95)
  }

  @Test(
    "Each format that is written has the same values in exiftool, which finds no error",
    arguments: MetadataEncodingTests.encodings)
  func readBack(encoding: ImageEncoder.Encoding) throws {
    let source = try Exiftool.scratch(Files.smallest(.jpeg), "jpg")
    defer { Exiftool.remove(source) }
    _ = try Exiftool.run(
      ["-overwrite_original", "-codedcharacterset=utf8"] + Exiftool.assignments.map { "-\($0)" } + [source])
    let metadata = try ImageMetadata(of: Exiftool.bytes(source))
    let image = try Samples.picture(64, 48, .rgb8)
    for kept: KeptMetadata in [.color, .copyright, .all, [.all, .location]] {
      let bytes = try ImageEncoder.encode(image, as: encoding, keeping: kept, of: metadata)
      let file = try Exiftool.scratch(bytes, encoding.format.fileExtension)
      defer { Exiftool.remove(file) }
      let report = try Exiftool.run(["-validate", "-error", "-warning", "-a", "-s", file])

      #expect(!report.contains("Error"), "\(kept): \(report)")
      #expect(try Exiftool.compare(file).differences == [], "\(kept)")
      let hasPosition =
        try Exiftool.run(["-a", "-G1", "-s", "-GPS:all", "-XMP-exif:GPS*", file]).isEmpty == false
      #expect(hasPosition == kept.contains(.location))
    }
  }

  @Test("The sample files of exiftool have the same names and values", .enabled(if: Exiftool.samples != nil))
  func samples() throws {
    let folder = try #require(Exiftool.samples)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted().filter {
      ["jpg", "png", "webp", "tif", "heic", "btf"].contains(URL(fileURLWithPath: $0).pathExtension)
    }
    var (files, values) = (0, 0)
    for name in names {
      let compared = try Exiftool.compare(folder + "/" + name)
      #expect(compared.differences == [], "\(name)")
      files += 1
      values += compared.count
    }
    print("exiftool: \(files) files, \(values) values compared")
    #expect(files > 40)
  }
}
