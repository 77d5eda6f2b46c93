import ImageCodecs
import Testing

/// Streams of runs that are made up here, and painted by a plain model.
@Suite("Run-length encoded bitmaps")
struct BitmapRunTests {
  private enum Code {
    /// So many pixels, of one color, or of two that take turns.
    case run(Int, UInt8)
    case literal([UInt8])
    case move(Int, Int)
    case endOfRow, end
  }

  private static func bytes(_ codes: [Code], _ bits: Int) -> [UInt8] {
    codes.flatMap { code -> [UInt8] in
      switch code {
      case .run(let count, let value): return [UInt8(count), value]
      case .endOfRow: return [0, 0]
      case .end: return [0, 1]
      case .move(let across, let up): return [0, 2, UInt8(across), UInt8(up)]
      case .literal(let numbers):
        var content = numbers
        if bits == 4 {
          content = stride(from: 0, to: numbers.count, by: 2).map { index -> UInt8 in
            let second: UInt8 = index + 1 < numbers.count ? numbers[index + 1] : 0
            return numbers[index] << 4 | second
          }
        }
        if !content.count.isMultiple(of: 2) { content.append(0) }
        return [0, UInt8(numbers.count)] + content
      }
    }
  }

  /// The number of each pixel, from the top; 0 where there is no run.
  private static func painted(_ codes: [Code], _ bits: Int, _ width: Int, _ height: Int, isTopDown: Bool)
    -> [UInt8]
  {
    var pixels: [UInt8?] = Array(repeating: nil, count: width * height)
    var (x, y) = (0, 0)
    for code in codes {
      var numbers: [UInt8] = []
      switch code {
      case .run(let count, let value):
        numbers = (0..<count).map { bits == 8 ? value : $0.isMultiple(of: 2) ? value >> 4 : value & 15 }
      case .literal(let list): numbers = list
      case .move(let across, let up): (x, y) = (x + across, y + up)
      case .endOfRow: (x, y) = (0, y + 1)
      case .end: break
      }
      for number in numbers {
        if x < width { pixels[(isTopDown ? y : height - 1 - y) * width + x] = number }
        x += 1
      }
    }
    return pixels.flatMap { $0.map { [$0, 255 - $0, $0 &* 3] } ?? [0, 0, 0] }
  }

  private static func file(_ runs: [UInt8], _ bits: Int, _ width: Int, _ height: Int) -> [UInt8] {
    let colors = (0..<1 << bits).flatMap { number -> [UInt8] in
      let level = UInt8(number)
      return [level &* 3, 255 - level, level, 0]
    }
    let start = 54 + colors.count
    return Array("BM".utf8)
      + little(
        (0, 8), (start, 4), (40, 4), (width, 4), (height, 4), (1, 2), (bits, 2), (bits == 8 ? 1 : 2, 4),
        (0, 20))
      + colors + runs
  }

  @Test("Runs, literal pixels and moves paint the pixels that they name", arguments: [4, 8], [false, true])
  func painting(bits: Int, isTopDown: Bool) throws {
    var random = SeededRandom(seed: 11)
    for _ in 0..<40 {
      let (width, height) = (1 + random.below(9), 1 + random.below(5))
      var codes: [Code] = []
      var x = 0
      for row in 0..<height {
        while x < width, random.below(8) > 0 {
          // Some programs write more than a row has.
          let count = 1 + random.below(width + 3 - x)
          switch random.below(4) {
          case 0 where count >= 3:
            codes.append(.literal((0..<count).map { _ in UInt8(random.below(1 << bits)) }))
          case 1: codes.append(.move(count, 0))
          default: codes.append(.run(count, random.byte()))
          }
          x += count
        }
        guard row + 1 < height else { break }
        if random.below(4) == 0 {
          codes.append(.move(0, 1))
        } else {
          codes.append(.endOfRow)
          x = 0
        }
      }
      codes.append(.end)
      let file = Self.file(Self.bytes(codes, bits), bits, width, isTopDown ? -height : height)

      let image = try ImageDecoder.decode(file)

      #expect(
        image.bytes == Self.painted(codes, bits, width, height, isTopDown: isTopDown),
        "\(width) × \(height): \(codes)")
    }
  }

  @Test("Runs may end without a mark once they have all rows, and are cut off before")
  func ends() throws {
    let rows: [Code] = [.run(3, 0x12), .endOfRow, .run(3, 0x34)]
    for bits in [4, 8] {
      let whole = Self.file(Self.bytes(rows + [.end], bits), bits, 3, 2)
      let expected = Self.painted(rows, bits, 3, 2, isTopDown: false)
      #expect(try ImageDecoder.decode(whole).bytes == expected)
      // All rows, and no mark of the end.
      for count in [1, 2] {
        let part = Array(whole.dropLast(count))
        #expect(try ImageDecoder.decode(part).bytes == expected)
        #expect(try ImageDecoder.decodeAvailable(part).isComplete)
        var strict = DecodingOptions()
        strict.limits.incomplete = .refuse
        #expect(throws: ImageCodecError.truncated) { try ImageDecoder.decode(part, options: strict) }
      }
      for count in [3, 4, 5] {
        let part = Array(whole.dropLast(count))
        #expect(throws: ImageCodecError.truncated) { try ImageDecoder.decode(part) }
        let available = try ImageDecoder.decodeAvailable(part)
        #expect(!available.isComplete)
        #expect(available.image.bytes == Self.painted([rows[0]], bits, 3, 2, isTopDown: false))
      }
    }
  }

  @Test("Literal pixels that are cut off are shown as far as they are there")
  func cutLiterals() throws {
    let codes: [Code] = [.literal([1, 2, 3, 4, 5])]
    let whole = Self.bytes(codes, 8)
    #expect(whole == [0, 5, 1, 2, 3, 4, 5, 0])
    for missing in 2...6 {
      let available = try ImageDecoder.decodeAvailable(Self.file(Array(whole.dropLast(missing)), 8, 5, 1))
      let there = Array([1, 2, 3, 4, 5].prefix(6 - missing)) as [UInt8]
      #expect(
        available.image.bytes == Self.painted([.run(0, 0), .literal(there)], 8, 5, 1, isTopDown: false))
      #expect(!available.isComplete)
    }
    let all = try ImageDecoder.decodeAvailable(Self.file(Array(whole.dropLast()), 8, 5, 1))
    #expect(all.isComplete)
  }

  @Test("A bitmap can be cancelled in runs beyond the end of a row, and in those without pixels")
  func endlessRow() {
    for code in [Code.run(1, 1), .move(0, 0)] {
      let codes = [Code](repeating: code, count: 256 * 20) + [.end]
      var asked = 0
      #expect(throws: ImageCodecError.cancelled) {
        try ImageDecoder.decode(
          Self.file(Self.bytes(codes, 8), 8, 2, 1),
          isCancelled: {
            asked += 1
            return asked > 10
          })
      }
    }
  }

  @Test("Runs beyond the last row are an error, and moves up to it are not")
  func beyond() throws {
    let error = ImageCodecError.corrupt("runs beyond the image")
    for codes in [
      [Code.run(2, 1), .endOfRow, .endOfRow, .run(1, 1), .end], [.move(0, 2), .run(1, 1), .end],
      [.move(0, 3), .end],
      [.endOfRow, .endOfRow, .endOfRow, .end],
    ] {
      #expect(throws: error) { try ImageDecoder.decode(Self.file(Self.bytes(codes, 8), 8, 2, 2)) }
    }
    for codes in [[Code.endOfRow, .endOfRow, .end], [.move(0, 2), .end], [.end]] {
      #expect(try ImageDecoder.decode(Self.file(Self.bytes(codes, 8), 8, 2, 2)).bytes.allSatisfy { $0 == 0 })
    }
  }
}
