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

  @Test("a deadline that passes while rows are decoded is an error")
  func deadlineOnTheWay() throws {
    let file = try ImageEncoder.encode(Samples.picture(20, 200, .rgb8), as: .png)
    var options = DecodingOptions()
    options.limits.deadline = .milliseconds(50)
    let polls = Counter()

    #expect(throws: ImageCodecError.deadlineExceeded) {
      try ImageDecoder.decode(
        file, options: options,
        isCancelled: {
          if polls.next() == 10 { busy(for: .milliseconds(60)) }
          return false
        })
    }
    #expect(polls.count == 10)
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

private func busy(for duration: Duration) {
  let end = ContinuousClock.now + duration
  while ContinuousClock.now < end {}
}
