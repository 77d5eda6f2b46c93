import ImageCodecs
import Testing

@Suite("Interruption")
struct InterruptionTests {
  static let encodings: [ImageEncoder.Encoding] = [
    .jpeg(), .jpeg(progressive: true), .png, .webp(quality: 1), .losslessWebP,
  ]

  @Test("a cancelled decoder stops, and asks no more", arguments: encodings)
  func cancelled(encoding: ImageEncoder.Encoding) throws {
    let file = try ImageEncoder.encode(Samples.noise(120, 120, .rgb8), as: encoding)
    let polls = Counter()
    _ = try ImageDecoder.decode(file, isCancelled: { polls.next() > Int.max - 1 })
    let all = polls.count
    #expect(all >= 4)

    for last in 1...all {
      let asked = Counter()

      #expect(throws: ImageCodecError.cancelled) {
        try ImageDecoder.decode(file, isCancelled: { asked.next() >= last })
      }
      #expect(asked.count == last)
    }
  }

  @Test("a cancelled resizing stops")
  func cancelledResizing() throws {
    let image = try Samples.picture(64, 200, .rgb8)
    let polls = Counter()
    _ = try image.resized(to: .fitting(50), isCancelled: { polls.next() > Int.max - 1 })
    #expect(polls.count > 100)

    for last in [1, 2, 50, 100] {
      let asked = Counter()

      #expect(throws: ImageCodecError.cancelled) {
        try image.resized(to: .fitting(50), isCancelled: { asked.next() >= last })
      }
      #expect(asked.count == last)
    }
  }

  @Test("a deadline that has passed is an error", arguments: encodings)
  func deadline(encoding: ImageEncoder.Encoding) throws {
    let file = try ImageEncoder.encode(Samples.picture(20, 20, .rgb8), as: encoding)
    var options = DecodingOptions()
    options.limits.deadline = .zero

    #expect(throws: ImageCodecError.deadlineExceeded) { try ImageDecoder.decode(file, options: options) }
  }

  @Test(
    "a deadline that passes on the way is an error, and the clock is not asked again", arguments: encodings)
  func deadlineOnTheWay(encoding: ImageEncoder.Encoding) throws {
    let file = try ImageEncoder.encode(Samples.noise(60, 200, .rgb8), as: encoding)
    let clock = Counter()
    let watch = DecodingWatch(deadline: .seconds(4), elapsed: { .seconds(clock.next()) })

    #expect(throws: ImageCodecError.deadlineExceeded) {
      try file.withUnsafeBytes { bytes in
        try ImageDecoder.read(bytes, options: DecodingOptions(), isStrict: true, watch: watch)
      }
    }
    #expect(clock.count == 4)
  }

  @Test("a deadline that has passed stops resizing")
  func deadlineOfResizing() throws {
    let image = try Samples.picture(20, 20, .rgb8)
    var limits = DecodingLimits()
    limits.deadline = .zero

    #expect(throws: ImageCodecError.deadlineExceeded) { try image.resized(to: .fitting(10), limits: limits) }
  }
}

private final class Counter {
  private(set) var count = 0

  func next() -> Int {
    count += 1
    return count
  }
}
