import ImageCodecs
import Testing

@Suite("GIF headers")
struct GIFHeaderTests {
  /// A canvas, a palette if the flags say so, and blocks.
  private func file(_ width: Int, _ height: Int, flags: UInt8 = 0, _ blocks: [[UInt8]], hasEnd: Bool = true)
    -> [UInt8]
  {
    let head = Array("GIF89a".utf8) + little(width, count: 2) + little(height, count: 2) + [flags, 0, 0]
    return head + palette(flags) + blocks.flatMap { $0 } + (hasEnd ? [0x3B] : [])
  }

  /// Colors that look like the beginning of a frame.
  private func palette(_ flags: UInt8) -> [UInt8] {
    [UInt8](repeating: 0x2C, count: flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1))
  }

  private func frame(
    _ left: Int, _ top: Int, _ width: Int, _ height: Int, flags: UInt8 = 0, parts: [[UInt8]] = [[0]]
  ) -> [UInt8] {
    let area: [UInt8] = [left, top, width, height].flatMap { little($0, count: 2) }
    let content: [UInt8] = parts.flatMap { part -> [UInt8] in [UInt8(part.count)] + part }
    let head: [UInt8] = [0x2C] + area + [flags]
    return head + palette(flags) + [8] + content + [0]
  }

  private func control(_ flags: UInt8) -> [UInt8] { [0x21, 0xF9, 4, flags, 0, 0, 0, 0] }

  private func info(_ file: [UInt8]) throws -> ImageInfo { try ImageDecoder.info(of: file) }

  @Test("The canvas contains the first frame, up to sides of 65,535 pixels")
  func sizes() throws {
    for (canvas, area, size) in [
      ((4, 3), (0, 0, 4, 3), (4, 3)), ((4, 3), (1, 1, 1, 1), (4, 3)), ((4, 3), (0, 0, 5, 3), (5, 3)),
      ((4, 3), (0, 0, 4, 4), (4, 4)),
      ((4, 3), (2, 2, 3, 2), (5, 4)), ((4, 3), (0, 0, 0, 9), (4, 3)), ((4, 3), (0, 0, 9, 0), (4, 3)),
      ((4, 3), (65_534, 0, 1, 1), (65_535, 3)),
      ((4, 3), (65_535, 0, 1, 1), (4, 3)), ((4, 3), (0, 65_534, 1, 1), (4, 65_535)),
      ((4, 3), (0, 65_535, 1, 1), (4, 3)),
      ((0, 3), (0, 0, 1, 1), (1, 3)), ((0x0102, 0x0304), (0, 0, 1, 1), (0x0102, 0x0304)),
    ] as [((Int, Int), (Int, Int, Int, Int), (Int, Int))] {
      let found = try info(file(canvas.0, canvas.1, [frame(area.0, area.1, area.2, area.3)]))
      #expect(found.storedSize == PixelSize(width: size.0, height: size.1), "\(canvas) \(area)")
    }
    // Later frames change nothing.
    let later = try info(file(4, 3, [frame(0, 0, 1, 1), frame(0, 0, 9, 9)]))
    #expect(later.storedSize == PixelSize(width: 4, height: 3) && later.isAnimated)
  }

  @Test("A GIF has alpha if its first frame is transparent or leaves a part of the canvas free")
  func alpha() throws {
    for (area, hasAlpha) in [
      ((0, 0, 4, 3), false), ((0, 0, 5, 4), false), ((0, 0, 3, 3), true), ((0, 0, 4, 2), true),
      ((1, 0, 3, 3), true), ((0, 1, 4, 2), true),
      ((1, 0, 4, 3), true), ((0, 1, 4, 3), true),
    ] as [((Int, Int, Int, Int), Bool)] {
      #expect(try info(file(4, 3, [frame(area.0, area.1, area.2, area.3)])).hasAlpha == hasAlpha, "\(area)")
    }
    let whole = frame(0, 0, 4, 3)
    for (blocks, hasAlpha) in [
      ([control(1), whole], true), ([control(0), whole], false), ([control(0xFE), whole], false),
      ([control(0xFF), whole], true),
      ([control(1), control(0), whole], false), ([control(0), control(1), whole], true),
      ([whole, control(1), whole], false), ([control(1)], false),
    ] as [([[UInt8]], Bool)] {
      let found = try info(file(4, 3, blocks))
      #expect(
        found.hasAlpha == hasAlpha && found.isAnimated == (blocks.count { $0 == whole } == 2), "\(blocks)")
    }
  }

  @Test("Palettes and parts of any length are skipped", arguments: UInt8(0)...7)
  func palettes(size: UInt8) throws {
    let two = [frame(0, 0, 4, 3, flags: 0x80 | size), frame(0, 0, 4, 3, flags: size)]
    for flags in [size, 0x80 | size, 0xF0 | size] {
      let found = try info(file(4, 3, flags: flags, two))
      #expect(found.isAnimated && !found.hasAlpha)
      #expect(try !info(file(4, 3, flags: flags, Array(two.prefix(1)))).isAnimated)
    }
    let long = (1...3).map { [UInt8](repeating: 0x3B, count: $0 == 2 ? 255 : $0 * Int(size + 1)) }
    let parts: [UInt8] = long.flatMap { part -> [UInt8] in [UInt8(part.count)] + part }
    let comment: [UInt8] = [0x21, 0xFE] + parts + [0]
    #expect(try info(file(4, 3, [comment, frame(0, 0, 4, 3, parts: long), comment, two[0]])).isAnimated)
  }

  @Test("A GIF is read up to its end, over bytes that begin no block")
  func blocks() throws {
    let two = [frame(0, 0, 4, 3), frame(0, 0, 4, 3)]
    for (between, isAnimated) in [
      ([], true), ([0x21, 0x01, 0], true), ([0x3B], false), ([0x00], true), ([0x2B, 0xFF], true),
    ] as [([UInt8], Bool)] {
      #expect(try info(file(4, 3, [two[0], between, two[1]])).isAnimated == isAnimated, "\(between)")
    }
    let all = file(4, 3, two)
    for count in 6..<13 { #expect(throws: ImageCodecError.truncated) { try info(Array(all.prefix(count))) } }
    // The second frame counts once its flags are there.
    let begins = all.count - 1 - two[1].count
    for count in 13...all.count {
      #expect(try info(Array(all.prefix(count))).isAnimated == (count >= begins + 10), "\(count)")
    }
    for (width, height) in [(0, 3), (4, 0)] {
      #expect(throws: ImageCodecError.corrupt("an empty image")) { try info(file(width, height, [])) }
      #expect(throws: ImageCodecError.truncated) { try info(file(width, height, [], hasEnd: false)) }
      #expect(throws: ImageCodecError.corrupt("an empty image")) {
        try info(file(width, height, [frame(0, 0, 0, 0)], hasEnd: false))
      }
    }
  }

  @Test("An animation that lacks its end is played, unless it lacks more")
  func ends() throws {
    func isPlayed(_ bytes: [UInt8], _ rule: DecodingLimits.Incomplete) -> Bool {
      var options = DecodingOptions()
      options.limits.incomplete = rule
      return (try? AnimationReader(bytes, options: options)) != nil
    }
    let whole = GIFFile(frames: [GIFFile.Frame(), GIFFile.Frame()]).bytes
    let head = Array(whole.prefix(13 + 768))
    for (bytes, lacks) in [
      (whole, 0), (Array(whole.dropLast()), 1), (Array(whole.dropLast()) + [0], 2),
      (Array(whole.dropLast(2)), 2),
      (head, 2), (head + [0x3B], 0),
    ] as [([UInt8], Int)] {
      #expect(
        isPlayed(bytes, .refuse) == (lacks == 0) && isPlayed(bytes, .acceptAllPixels) == (lacks < 2),
        "\(lacks)")
      #expect(isPlayed(bytes, .acceptAnyPixels))
    }
  }

  @Test("The number of repetitions has two bytes behind the name of an application")
  func repetitions() throws {
    func plays(_ block: [UInt8]) throws -> Int? {
      try AnimationReader(GIFFile(beforeFrames: block, frames: [GIFFile.Frame(), GIFFile.Frame()]).bytes)
        .plays
    }
    for name in ["NETSCAPE2.0", "ANIMEXTS1.0"] {
      for count in [0, 1, 0x0102, 65_535] {
        #expect(try plays(GIFFile.loop(name, count)) == (count == 0 ? nil : count + 1))
      }
      var other = GIFFile.loop(name, 0x0304)
      // Not the part with the number, another length of it, and another extension.
      for (place, value) in [(15, 2), (14, 4), (1, 0xFE), (2, 12)] as [(Int, UInt8)] {
        let kept = other[place]
        other[place] = value
        if place == 14 { other.insert(0, at: 18) }
        if place == 2 { other.insert(UInt8(ascii: "x"), at: 14) }
        #expect(try plays(other) == 1, "\(name) \(place)")
        if place == 14 { other.remove(at: 18) }
        if place == 2 { other.remove(at: 14) }
        other[place] = kept
      }
      #expect(try plays(GIFFile.loop(name, 4) + GIFFile.loop(name, 0)) == nil)
    }
  }
}
