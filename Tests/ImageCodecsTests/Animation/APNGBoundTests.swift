import ImageCodecs
import Testing

@Suite("Bounds of animated PNG")
struct APNGBoundTests {
  /// What an animation of one or two pixels of a palette consists of.
  private struct File {
    private(set) var file: PNGFile
    private var sequence = 0

    /// - Parameter frames: How many are announced.
    init(frames: Int = 1) {
      file = PNGFile(width: 2, height: 1, color: 3)
      file.append("acTL", big(frames, count: 4) + big(0, count: 4))
    }

    private mutating func next() -> [UInt8] {
      defer { sequence += 1 }
      return big(sequence, count: 4)
    }

    mutating func control() {
      let numbers = [2, 1, 0, 0].flatMap { big($0, count: 4) }
      file.append("fcTL", next() + numbers + [0, 1, 0, 10, 0, 0])
    }

    /// - Parameter isDamaged: Whether the pixels are none.
    mutating func pixels(_ indices: [UInt8] = [0, 1], isFirst: Bool = true, isDamaged: Bool = false) {
      let data = isDamaged ? [7, 7, 7, 7] : Deflate.stored([0] + indices)
      if isFirst { file.append("IDAT", data) } else { file.append("fdAT", next() + data) }
    }

    mutating func append(_ type: String, _ payload: [UInt8]) { file.append(type, payload) }

    mutating func end() { file.end() }
  }

  /// Red, and green.
  private static let palette: [UInt8] = [255, 0, 0, 0, 255, 0]

  private func error(
    _ file: File, _ rule: DecodingLimits.Incomplete = .acceptAllPixels,
    isCancelled: @escaping () -> Bool = { false }
  ) -> (frames: Int, error: ImageCodecError?) {
    var options = DecodingOptions()
    options.limits.incomplete = rule
    var count = 0
    do throws(ImageCodecError) {
      let reader = try AnimationReader(file.file.bytes, options: options, isCancelled: isCancelled)
      while try reader.next() != nil { count += 1 }
      return (count, nil)
    } catch { return (count, error) }
  }

  @Test("Palettes before the first frame have up to 768 bytes each, and begin within the first 2,000")
  func palettes() {
    let tooLarge = ImageCodecError.corrupt("a palette that is too large")
    for (count, isAllowed) in [(6, true), (765, true), (768, true), (769, false), (100_000, false)] {
      var file = File()
      file.append("PLTE", Self.palette + [UInt8](repeating: 9, count: count - 6))
      file.control()
      file.pixels()
      file.end()
      #expect((error(file).error == tooLarge) == !isAllowed, "\(count)")
      if count.isMultiple(of: 3), isAllowed { #expect(error(file) == (1, nil), "\(count)") }
    }
    // A chunk has 12 bytes more than its content.
    for (count, isAllowed) in [(427, true), (428, false), (429, false)] {
      var file = File()
      for count in [768, 768, count, 1] { file.append("tRNS", [UInt8](repeating: 1, count: count)) }
      file.control()
      file.pixels()
      file.end()
      #expect((error(file).error == tooLarge) == !isAllowed, "\(count)")
    }
  }

  @Test("A palette after the image of other decoders is not used for the frames")
  func behindData() {
    for type in ["PLTE", "tRNS"] {
      var file = File()
      file.append("PLTE", Self.palette)
      file.pixels()
      // It would be refused.
      file.append(type, [UInt8](repeating: 9, count: 769))
      file.control()
      file.pixels(isFirst: false)
      file.end()
      #expect(error(file) == (1, nil), "\(type)")
    }
  }

  @Test("A single frame is shown where two were announced, if the file has its end")
  func fewer() {
    for hasEnd in [true, false] {
      var file = File(frames: 2)
      file.append("PLTE", Self.palette)
      file.control()
      file.pixels()
      if hasEnd { file.end() }
      for rule in [DecodingLimits.Incomplete.refuse, .acceptAllPixels] {
        #expect(error(file, rule) == (1, hasEnd ? nil : .truncated))
      }
    }
  }

  @Test("A frame that is damaged in the middle of a file is corrupt, and at the end of a part it is cut off")
  func damagedFrames() {
    var file = File(frames: 2)
    file.append("PLTE", Self.palette)
    file.control()
    file.pixels()
    file.control()
    file.pixels(isFirst: false, isDamaged: true)
    let part = error(file)
    #expect(part == (1, .truncated))

    file.end()
    let whole = error(file)
    #expect(whole.frames == 1 && whole.error?.kind == "corrupt")
  }

  @Test("An animation asks at each chunk whether it is cancelled, and is not cut off then")
  func cancelling() {
    func asked(before: Int, within: Int, behind: Int) -> Int {
      var file = File(frames: 2)
      file.append("PLTE", Self.palette)
      for _ in 0..<before { file.append("teXt", [1]) }
      file.control()
      for _ in 0..<within { file.append("teXt", [1]) }
      file.pixels()
      for _ in 0..<behind { file.append("teXt", [1]) }
      file.control()
      file.pixels(isFirst: false)
      var count = 0
      let all = error(file) {
        count += 1
        return false
      }
      #expect(all == (2, nil))
      for last in 1...count {
        var left = last
        let some = error(file) {
          left -= 1
          return left <= 0
        }
        #expect(some.error == .cancelled, "\(last) of \(count)")
      }
      return count
    }

    let least = asked(before: 0, within: 0, behind: 0)
    #expect(asked(before: 5, within: 0, behind: 0) == least + 5)
    #expect(asked(before: 0, within: 5, behind: 0) == least + 5)
    #expect(asked(before: 0, within: 0, behind: 5) == least + 5)
  }
}
