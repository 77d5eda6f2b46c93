import Foundation
import ImageCodecs
import Testing

@Suite("Compressed SVG", .enabled(if: Drawing.isPossible, "librsvg is not there"))
struct CompressedSVGTests {
  /// The document in the files below.
  private let text = Drawing.document(
    (0..<100).map { index in
      let color = String(index * 577 % 4_096, radix: 16)
      let fill = String(repeating: "0", count: 3 - color.count) + color
      return "<rect x='\(index % 10)' y='\(index / 10)' width='1' height='1' fill='#\(fill)'/>"
    }
    .joined())

  private func bytes(_ base64: String) throws -> [UInt8] { Array(try #require(Data(base64Encoded: base64))) }

  @Test("A gzipped SVG draws like its uncompressed document", arguments: [gzip.dynamic, gzip.fixed])
  func codes(file: String) throws {
    let file = try bytes(file)

    #expect(SVGRenderer.isDocument(file) && SVGRenderer.isDocument(file.prefix(200)))
    #expect(try Drawing.image(file) == Drawing.image(text))
    let renderer = try SVGRenderer()
    #expect(try file.withUnsafeBytes { try renderer.size(of: $0) } == PixelSize(width: 10, height: 10))
    #expect(try file.withUnsafeBytes { try renderer.byteCost(of: $0) } > 10 * text.utf8.count)
  }

  @Test("A gzipped SVG may have a name, comments, several members and trailing bytes")
  func members() throws {
    let halves = [Array(text.utf8.prefix(2_000)), Array(text.utf8.dropFirst(2_000))]
    let members = halves.map { GZipFile.stored($0) }
    var named = members[0]
    named[3] = 0x1D
    named.insert(contentsOf: [2, 0, 7, 7] + Array("a.svg\0no\0".utf8), at: 10)

    for file in [members[0] + members[1], named + members[1], members[0] + members[1] + [0, 0, 10]] {
      #expect(SVGRenderer.isDocument(file))
      #expect(try Drawing.image(file) == Drawing.image(text))
    }
    // A name without an end, and additional fields longer than the file.
    for flags: UInt8 in [0x08, 0x10, 0x04] {
      var endless = GZipFile.stored([UInt8](repeating: 0xFF, count: 300))
      endless[3] = flags
      #expect(throws: ImageCodecError.truncated) { try Drawing.image(Array(endless.prefix(200))) }
    }
  }

  @Test("Forbidden content is refused in a gzipped SVG")
  func refused() {
    let file = GZipFile.stored(Array(Drawing.document("<image href='data:,'/>").utf8))

    #expect(throws: ImageCodecError.unsupportedFeature("data: in an SVG")) { try Drawing.image(file) }
    // And it is no matryoshka.
    #expect(throws: ImageCodecError.self) { try Drawing.image(GZipFile.stored(file)) }
  }

  @Test("A gzipped SVG that inflates beyond the limit is refused")
  func bomb() throws {
    let start = Array(Drawing.document("").utf8)
    let zeros = GZipFile.file(Deflate.bomb(ofZeros: 50 << 20), of: [], count: 50 << 20)
    for file in [zeros, GZipFile.stored(start) + zeros] {
      let error = #expect(throws: ImageCodecError.self) { try Drawing.image(file) }
      #expect(error == .limitExceeded(.encodedBytes(10 << 20)))
    }
    let exact = try bytes(gzip.dynamic)
    #expect(try Drawing.image(exact) { $0.maximumBytes = text.utf8.count }.width == 10)
    let error = #expect(throws: ImageCodecError.self) {
      try Drawing.image(exact) { $0.maximumBytes = text.utf8.count - 1 }
    }
    #expect(error == .limitExceeded(.encodedBytes(text.utf8.count - 1)))
  }

  @Test("A damaged or truncated gzipped SVG throws an error", arguments: [gzip.dynamic, gzip.fixed])
  func damage(file: String) throws {
    let file = try bytes(file)
    for count in 3..<file.count {
      let error = #expect(throws: ImageCodecError.self) { try Drawing.image(Array(file.prefix(count))) }
      #expect(error == .truncated, "\(count)")
    }
    for index in 10..<file.count {
      var bytes = file
      bytes[index] ^= 0x24
      #expect(throws: ImageCodecError.self, "\(index)") { try Drawing.image(bytes) }
    }
  }
}

/// Written by Python's zlib.
private enum gzip {
  static let dynamic =
    "H4sIAAAAAAACA42Y3WqaQRRFX0XshXdx/mdOiHmX+Y1Sm5ZEqn37JobSD/bA/m6CkFkIi+XF2U/vv182tx/n1/fD9ni5/Hrc76/X68PVPvx8"
    + "e9kbpdT+48X268nj7Xx6/T57qEVkf//vdnM9tcvxsNVquzn208vxcv/8/PTW62VzO+zUbvPn/vfr4U7v/r37/DhO5/Nh9+3ji3f7/4xewxin"
    + "l4xZw7hkloxdw4Rql4xbw4hyS8avYYrzSyasYVoKSyauYUaNSyatcq3SkpFVrp0sma8ONHGdMnZAmFQLdkCYoip2QJjmGnZAmJE6dkAYXQd2"
    + "QBinFXbAXHuNHTDXYrADwuRmsQNDXGuHHRBmeI8dEEZLwA4IY1vEDggTdMIOCJO8YAeEyZKxA8LUVrAD5lpX7IC59g07sMS1dOyAML4N7IAw"
    + "ySjsgDA5aOyAMDUb7IAwvVvsgDDaOOyAuQ4eO2Cuc8AOCBN7xA4ccW0SdkCYGgQ7IEzPGTsgjOoFOyCMNRU7IIwPDTsgTMwdOyCM9IEdMNdW"
    + "YQfMddTYgSeui8EOCGOGxQ4I463DDggTo8cOCCMlYAeEKSNiB4TpNmEHzHUU7IC5Lhk7IIwbBTsIxLWt2AFhJDbsgDCldOyAMG0M7IAwyins"
    + "gDAmaeyAMK4a7IC5VhY7YK6dww6Y6+Sxg0hc14AdRHZrRuwgslszYQeR3ZqCHUR2a2bsILJbs2AHkd2aFTtgrlPDDiK7NTt2wFyrgR0k4tpP"
    + "9gPCBJnsB4RJbbIfEKboyX5AmOYn+wFhhkz2A8LoNtkPmGs92Q+Yaz/ZD5hrmewHwm7NyX4g7Nac7AfCbs3JfiDs1pzsB8Juzcl+IOzWnOwH"
    + "hElhsh8w13myHxCm9sl+wFyb++/nc5h8/gvqr5q1wBQAAA=="

  static let fixed =
    "H4sIAAAAAAACA7MpLktXqMjNySu2VcooKSmw0tcvLy/XKzfWyy9K1zcyMDDQB6pQgiixqsjJzMvGptDQ0tJSHyyrpFCemVKSYatkaKCkkJGa"
    + "mZ5RAmbb2RSlJpcoVNiqG6grVIJJiEJ1Q3WYOhAzLTMnx1ZdGWixuj5CjyExeoxMDJH1GBGjx8TCCFmPMTF6zJKNkfWYEKPH0sAEWY8pMXqS"
    + "TEyR9ZgRoyfFwgxZjzkxetKSzZH1WBAV1gYWyHosiQprE0tkPZB0YEggrC0SMdMBAT0WyUmY6YCAniSDZMx0QEBPikkKZjogoCfNIhUzHRDQ"
    + "Y5ichpkOCOgxMTTATAeEwtrUEDMdEAprSyPMdEBAT2KKMWY6MCIQ1oYmmOmAgJ40U1PMdEBAj6GlGWY6IKDHOMUcMx0Q0GNmaIGZDgjosTC1"
    + "xEwHBPQkWiZipgMCepJTkjDTAaGwNkzGTAeEwto0BTMdGBMIa8tUzHRAQI9pShpmOiCgx8LIADMdENCTaGaImQ4I6ElONMJMBwT0pKYaY6YD"
    + "AnoMjUww0wGhsDYzxUwHhMI60QwzHRDQY55qjpkOTAiEtZEFZjogoCfZzBIzHRDQk5qYiJkOCOgxSE3CTAcE9BgbJWOmAwJ6TM1SMNMBAT3m"
    + "iamY6YCAHsvUNMx0QCisjQ0w0wGhsDY3xEwHpgTCOskIMx0Q0GOUZoyZDgjoMTU2wUwHBPSYm5tipgMCeiyTzDDTAQE9SWnmmOmAgJ5UYwvM"
    + "dEAorM0tMdMBobBOSsRMBwT0mKQlYaYDMwJhbZyMmQ4I6LE0T8FMBwT0JCWlYqYDAnpS0tIw0wEBPQYmBpjpgIAeIwtDzHRAQI9JshFmOiAU"
    + "1gbGmOmAUFibmGCmA0JhbWGKmQ7MCYR1shlmOjAn1Nc0x0wH5oT6mhaY6cCcUF/TEjMdmBPqayZipgNzQn3NJMx0YE6or5mMmQ4IhbVFCmY6"
    + "MCfU10zFTAeEwtogDTMdWBAIa1Ms4wcE9JhZYhk/IKDHIgXL+AEBPUmGWMYPCOhJMcUyfkBAT5ollvEDAnoMU7CMHxAKa0Ms4weEwtoUy/gB"
    + "obC2xDJ+YEmor4ll/MCSUF8Ty/iBJaG+JpbxA0tCfU0s4weWhPqaWMYPLAn1NbGMHxDQY2GGZfyAUFgnYhk/IKAnORXL+AGhsDYC5x/QwKQd"
    + "AOqvmrXAFAAA"
}
