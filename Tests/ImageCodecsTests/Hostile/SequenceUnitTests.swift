import ImageCodecs
import Testing

/// An image of fewer than 1,024 pixels a side may have a stream of up to 1,151.
@Suite("Sizes in HEVC streams")
struct SequenceUnitTests {
  /// Whether a HEIC with this unit before its image is refused for the size of its stream.
  private func isRefused(_ unit: [UInt8]) throws -> Bool {
    var file = try BoxesFile(Files.bytes("picture.heic"), brand: "heic")
    file.items[0].data = big(unit.count, count: 4) + unit + file.items[0].data
    do throws(ImageCodecError) {
      _ = try ImageDecoder.decode(file.bytes)
      return false
    } catch {
      return error == .corrupt("two sizes")
    }
  }

  private func expectLimit(_ unit: SequenceUnit, _ comment: Comment) throws {
    for (width, height) in [(1_151, 1_151), (1_152, 72), (96, 1_152), (65_534, 65_534), (96, 72)] {
      var unit = unit
      (unit.width, unit.height) = (width, height)
      #expect(try isRefused(unit.bytes) == (max(width, height) > 1_151), "\(width)x\(height) \(comment)")
    }
  }

  @Test("A stream size is read behind any layers, numbers and kinds of color")
  func fields() throws {
    for count in 0...6 {
      for (hasProfile, hasLevel) in [(false, false), (true, false), (false, true), (true, true)] {
        let layers = (0..<count).map { $0 == 0 ? (hasProfile, hasLevel) : (hasLevel, hasProfile) }
        try expectLimit(SequenceUnit(layers: layers), "\(layers)")
      }
    }
    for number in 0...15 { try expectLimit(SequenceUnit(number: number), "number \(number)") }
    for chroma in 0...3 { try expectLimit(SequenceUnit(chroma: chroma), "chroma \(chroma)") }
  }

  @Test("A stream size is read from the unit with sizes only", arguments: 0..<64)
  func types(_ type: Int) throws {
    #expect(try isRefused(SequenceUnit(type: type, width: 1_152, height: 72).bytes) == (type == 33))
  }

  @Test(
    "A stream whose pictures do not cover the image of 96 by 72 is refused, and one with a window that does is not"
  )
  func coverage() throws {
    for (width, height, isRefused) in [
      (96, 72, false), (95, 72, true), (96, 71, true), (1, 1, true), (97, 73, false),
    ] {
      #expect(
        try self.isRefused(SequenceUnit(width: width, height: height).bytes) == isRefused,
        "\(width) \(height)")
    }
    // A step of the window is two samples across with colors of half the width, and down with those of half the height.
    for (chroma, across, down) in [(0, 1, 1), (1, 2, 2), (2, 2, 1), (3, 1, 1)] {
      for (window, isRefused) in [
        ([2, 3, 4, 5], false), ([3, 3, 4, 5], true), ([2, 4, 4, 5], true), ([2, 3, 5, 5], true),
        ([2, 3, 4, 6], true),
        ([1 << 20, 0, 0, 0], true), ([2], true),
      ] {
        let unit = SequenceUnit(chroma: chroma, width: 96 + 5 * across, height: 72 + 9 * down, window: window)
        #expect(try self.isRefused(unit.bytes) == isRefused, "\(chroma) \(window)")
      }
    }
  }

  @Test("A stream size is read from no part of a unit")
  func truncation() throws {
    let unit = SequenceUnit(width: 65_534, height: 65_534).bytes

    #expect(try isRefused(unit))
    for count in 0..<unit.count - 1 { #expect(try !isRefused(Array(unit.prefix(count))), "\(count)") }
  }

  @Test(
    "A stream size has at most 32 zeros in front of it", arguments: [(11, true), (32, true), (33, false)])
  func length(_ zeros: Int, _ isSize: Bool) throws {
    #expect(try isRefused(SequenceUnit(width: 1 << zeros - 1, height: 72).bytes) == isSize)
  }
}
