import ImageCodecs
import Testing

@Suite("GIF codes and their definition")
struct GIFCodesTests {
  /// Codes at random, among them the one that is being made, starting again, and a table that is full; and what they stand for.
  private static func codes(_ count: Int, codeSize: Int, restarts: Int, seed: UInt64) -> (
    codes: [Int], numbers: [Int]
  ) {
    var random = SeededRandom(seed: seed)
    let colors = 1 << codeSize, first = (0..<colors).map { [$0] } + [[], []]
    var codes: [Int] = [], numbers: [Int] = [], table = first
    var previous: [Int]?
    for _ in 0..<count {
      if random.below(restarts) == 0 {
        codes.append(GIFFile.clear)
        (table, previous) = (first, nil)
        continue
      }
      var code =
        random.below(2) == 0 ? random.below(colors) : table.count - random.below(min(9, table.count - colors))
      if code >= table.count, previous == nil || table.count == 4_096 { code = 0 }
      if code == colors || code == colors + 1 || (code < table.count && table[code].count > 40) { code = 1 }
      if code == table.count, let previous, previous.count > 40 { code = 1 }
      let meant = code < table.count ? table[code] : (previous ?? []) + [previous?.first ?? 0]
      if let previous, table.count < 4_096 { table.append(previous + [meant[0]]) }
      codes.append(code)
      numbers += meant
      previous = meant
    }
    return (codes, numbers)
  }

  @Test("Codes of each size stand for what the table of those before them says", arguments: 2...8)
  func model(codeSize: Int) throws {
    for (count, restarts) in [(1, 1_000), (40, 7), (700, 300), (9_000, 1_000_000)] {
      for seed in 1...3 as ClosedRange<UInt64> {
        let (codes, numbers) = Self.codes(count, codeSize: codeSize, restarts: restarts, seed: seed)
        guard !numbers.isEmpty else { continue }
        // Rows of a length that strings of numbers go beyond.
        let width = min(numbers.count, 31), height = numbers.count / width
        var file = GIFFile(width: width, height: height)
        file.frames[0] = GIFFile.Frame(width: width, height: height, codeSize: codeSize, codes: codes)

        let image = try ImageDecoder.decode(file.bytes)

        let shades = stride(from: 0, to: image.bytes.count, by: image.pixelFormat.bytesPerPixel).map {
          Int(image.bytes[$0])
        }
        #expect(shades == Array(numbers.prefix(width * height)), "\(count) codes, seed \(seed)")
      }
    }
  }
}
