import ImageCodecs
import Testing

@Suite("A TIFF that lies")
struct HostileTIFFTests {
  /// Two gray pixels, and what can be wrong with them.
  private struct File {
    var entries: [(tag: Int, type: Int, count: Int, value: Int)] = [
      (256, 3, 1, 2), (257, 3, 1, 1), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 1), (273, 4, 1, 8),
      (277, 3, 1, 1), (278, 3, 1, 1), (279, 4, 1, 2),
    ]
    var next = 0

    subscript(tag: Int) -> Int {
      get { entries.first { $0.tag == tag }?.value ?? 0 }
      set {
        entries.removeAll { $0.tag == tag }
        entries.append((tag, newValue > 65_535 ? 4 : 3, 1, newValue))
        entries.sort { $0.tag < $1.tag }
      }
    }

    var bytes: [UInt8] {
      Array("II*\0".utf8) + little(10, count: 4) + [50, 200] + little(entries.count, count: 2)
        + entries.flatMap {
          little($0.tag, count: 2) + little($0.type, count: 2) + little($0.count, count: 4)
            + little($0.value, count: 4)
        } + little(next, count: 4)
    }

    func with(_ tag: Int, _ value: Int) -> [UInt8] {
      var other = self
      other[tag] = value
      return other.bytes
    }
  }

  private func expect(_ kinds: Set<String>, _ file: [UInt8], _ location: SourceLocation = #_sourceLocation) {
    let error = #expect(throws: ImageCodecError.self, sourceLocation: location) {
      try ImageDecoder.decode(file)
    }
    let kind = error.map { $0.kind ?? "\($0)" } ?? "none"
    #expect(
      kinds.contains(kind) || error == .truncated && kinds.contains("truncated"), "\(kind)",
      sourceLocation: location)
  }

  @Test("not, is read")
  func honest() throws {
    #expect(try ImageDecoder.decode(File().bytes).bytes == [50, 200])
  }

  @Test("about its size is damaged, or takes no memory")
  func sizes() {
    expect(["corrupt"], File().with(256, 0))
    expect(["corrupt"], File().with(257, 0))
    expect(["tooLarge"], File().with(256, 0x7FFF_FFFF))
    expect(["tooLarge"], File().with(257, 0xFFFF_FFFF))
    expect(["corrupt", "truncated"], File().with(256, 30_000))
  }

  @Test("about its samples is not supported, or damaged")
  func samples() {
    expect(["unsupportedFeature"], File().with(277, 65_535))
    expect(["unsupportedFeature"], File().with(277, 0))
    expect(["unsupportedFeature"], File().with(258, 7))
    expect(["unsupportedFeature", "corrupt", "truncated"], File().with(258, 64))
    expect(["unsupportedFeature", "corrupt", "truncated"], File().with(262, 65_535))
    expect(["unsupportedFeature", "corrupt", "truncated"], File().with(259, 65_535))
  }

  @Test("about where its pixels are is damaged or truncated")
  func strips() {
    expect(["corrupt", "truncated"], File().with(273, 0x7FFF_FFFF))
    var missing = File()
    missing.entries.removeAll { $0.tag == 273 }
    expect(["corrupt", "truncated", "unsupportedFeature"], missing.bytes)
  }

  @Test("about more than it needs to be told is an image of the size it says")
  func harmless() throws {
    // Three samples of which colors know one; a strip that claims more than there is, of which two bytes are needed.
    #expect(try ImageDecoder.decode(File().with(277, 3)).size == PixelSize(width: 2, height: 1))
    #expect(try ImageDecoder.decode(File().with(279, 0x7FFF_FFFF)).bytes == [50, 200])
  }

  @Test("about its directory is truncated or read no further")
  func directories() throws {
    var loop = File()
    loop.next = 10
    #expect(try ImageDecoder.decode(loop.bytes).bytes == [50, 200])

    var outside = File().bytes
    outside.replaceSubrange(4..<8, with: little(0xFFFF_FFFF, count: 4))
    #expect(throws: ImageCodecError.truncated) { try ImageDecoder.decode(outside) }
    var endless = File().bytes
    endless.replaceSubrange(10..<12, with: little(65_535, count: 2))
    #expect(throws: ImageCodecError.truncated) { try ImageDecoder.decode(endless) }
    var long = File().bytes
    long.replaceSubrange(10..<12, with: little(2_000, count: 2))
    expect(["corrupt"], long + [UInt8](repeating: 0, count: 24_000))
  }

  @Test("about a profile has none")
  func profile() throws {
    var file = File()
    file.entries.append((34_675, 7, 0x7FFF_FFFF, 0x7FFF_FFF0))

    #expect(try ImageDecoder.decode(file.bytes, options: .asStored).colorSpace == .untagged)
  }

  @Test("not, but ends early, is truncated, and shows its first rows")
  func truncation() throws {
    // Its directory stands before its pixels, which most programs do not do.
    let pixels = (0..<96 * 64).map { UInt8(truncatingIfNeeded: $0) }
    var file = File()
    file[256] = 96
    file[257] = 64
    file[278] = 1
    file.entries.removeAll { $0.tag == 273 || $0.tag == 279 }
    file.entries += [(273, 4, 1, 0), (279, 4, 1, 6_144)]
    file[278] = 64
    file.entries.sort { $0.tag < $1.tag }
    let start = file.bytes.count
    file.entries = file.entries.map { $0.tag == 273 ? (273, 4, 1, start) : $0 }
    let bytes = file.bytes + pixels
    #expect(try ImageDecoder.decode(bytes).bytes == pixels)

    let cut = Array(bytes.dropLast(3_000))

    expect(["corrupt", "truncated"], cut)
    #expect(try !ImageDecoder.decodeAvailable(cut).isComplete)
  }
}
