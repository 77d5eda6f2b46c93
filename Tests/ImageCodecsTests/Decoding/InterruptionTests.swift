import ImageCodecs
import Testing

@Suite("Cancellation and deadlines")
struct InterruptionTests {
  static let encodings: [ImageEncoder.Encoding] = [
    .jpeg(), .jpeg(progressive: true), .png, .webp(quality: 1), .losslessWebP,
  ]

  @Test("A cancelled decoder stops at once and polls no further", arguments: encodings)
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

  @Test("A cancelled resize operation stops at once")
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

  @Test("Decoding throws `deadlineExceeded` when its deadline has passed", arguments: encodings)
  func deadline(encoding: ImageEncoder.Encoding) throws {
    let file = try ImageEncoder.encode(Samples.picture(20, 20, .rgb8), as: encoding)
    var options = DecodingOptions()
    options.limits.deadline = .zero

    #expect(throws: ImageCodecError.deadlineExceeded) { try ImageDecoder.decode(file, options: options) }
  }

  @Test(
    "Decoding throws when the deadline passes midway and reads the clock no further", arguments: encodings)
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

  @Test("Resizing throws `deadlineExceeded` when its deadline has passed")
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
