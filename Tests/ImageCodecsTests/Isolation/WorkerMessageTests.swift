#if os(Linux)
  import Foundation
  import ImageCodecs
  import Testing

  /// `ISOLATION_MESSAGES` is how many messages each test makes up; a few thousand by default.
  private let messageCount =
    ProcessInfo.processInfo.environment["ISOLATION_MESSAGES"].flatMap { Int($0) } ?? 4_000

  extension IsolationTests {
    @Suite("Worker messages")
    struct WorkerMessageTests {
      private static let limits = {
        var limits = DecodingLimits()
        limits.deadline = .milliseconds(20)
        limits.maximumDecodedBytes = 1 << 20
        limits.maximumPixels = 100_000
        return limits
      }()

      @Test("A mutated reply of a worker gives an image within the limits or an error")
      func replies() {
        var source = Source(state: 1)
        var counts: [String: Int] = [:]

        for index in 0..<messageCount {
          let size = 1 << source.below(10)
          let start = WorkerProbe.reply(
            width: size, height: 1 + source.below(200), profile: source.below(2) * 200,
            gainMap: source.below(2) == 0 ? GainMaps.metadata : nil)
          var options = DecodingOptions(limits: Self.limits, colors: source.below(2) == 0 ? .sRGB : .asStored)
          options.keepsDepth = source.below(2) == 0
          options.keepsGainMap = source.below(2) == 0
          switch WorkerProbe.decode(reply: source.changed(start, index), options: options) {
          case .success(let image?):
            counts["image", default: 0] += 1
            #expect(image.byteCount <= 1 << 20)
            // Reads all of it.
            #expect(image.withUnsafeBytes { $0.allSatisfy { $0 == 0 } })
          case .success(nil): counts["none", default: 0] += 1
          case .failure(let error): counts[error.code, default: 0] += 1
          }
        }

        print("replies: \(counts.sorted { $0.key < $1.key })")
        #expect(counts["image", default: 0] > messageCount / 100)
        #expect(counts["codec.decoder-misbehaved", default: 0] > messageCount / 4)
      }

      @Test("A mutated request to a worker is answered or rejected")
      func requests() throws {
        let file = try ImageEncoder.encode(Samples.flat(30, 20, [1, 2, 3]), as: .png)
        var source = Source(state: 2)
        var (replies, none) = (0, 0)

        for index in 0..<messageCount / 4 {
          let start = WorkerProbe.request(
            decoding: file, options: DecodingOptions(limits: Self.limits, target: .fitting(10)))
          if WorkerProbe.serve(request: source.changed(start, index), file: file) == nil {
            none += 1
          } else {
            replies += 1
          }
        }

        print("requests: \(replies) replies, \(none) refused")
        #expect(replies > messageCount / 100)
        #expect(none > messageCount / 100)
      }
    }

  }

  /// The same changes for the same seed.
  private struct Source {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }

    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

    private static let interesting: [Int64] = [
      0, 1, 2, 3, 5, 8, 13, 255, 4_096, 8_192, 65_535, 1 << 20, 1 << 31, 1 << 32, 1 << 47, 1 << 48, 1 << 62,
      -1,
      -4_096, .max, .min,
    ]

    /// A few numbers changed, mostly; now and then bytes, the length, or everything.
    mutating func changed(_ message: [UInt8], _ index: Int) -> [UInt8] {
      var bytes = message
      switch index % 20 {
      case 0: return (0..<below(1_000)).map { _ in UInt8(truncatingIfNeeded: next()) }
      case 1: return Array(bytes.prefix(below(bytes.count)))
      case 2: return bytes + [UInt8](repeating: 0, count: 1 + below(100))
      case 3:
        for _ in 0..<1 + below(20) { bytes[below(bytes.count)] = UInt8(truncatingIfNeeded: next()) }
      case 4: break
      default:
        for _ in 0..<1 + below(3) {
          let value =
            below(4) == 0 ? Int64(bitPattern: next()) : Self.interesting[below(Self.interesting.count)]
          // Most fields are near the beginning.
          let field = below(2) == 0 ? below(16) : below(WorkerProbe.numberCount)
          withUnsafeBytes(of: value.littleEndian) {
            bytes.replaceSubrange(field * 8..<field * 8 + 8, with: $0)
          }
        }
      }
      return bytes
    }
  }
#endif
