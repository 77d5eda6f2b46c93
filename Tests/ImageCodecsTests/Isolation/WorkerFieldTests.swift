#if os(Linux)
  import ImageCodecs
  import Testing

  /// Messages as numbers in fixed places, written down here once more.
  extension IsolationTests {
    @Suite("Worker message fields")
    struct WorkerFieldTests {
      private static let count: ClosedRange<Int64> = 0...1 << 48
      private static let any = Int64.min...Int64.max

      private static func choice(_ count: Int) -> ClosedRange<Int64> { 0...Int64(count - 1) }

      private static let flag = choice(2)

      private static func constant(_ number: Int64) -> ClosedRange<Int64> { number...number }

      /// Consecutive fields, from the first one on.
      private static func fields(
        from first: Int = 0, _ ranges: [ClosedRange<Int64>]
      ) -> [Int: ClosedRange<Int64>] {
        Dictionary(uniqueKeysWithValues: zip(first..., ranges))
      }

      /// The numbers that each field of a request can have, with sides of its target as they are in a message.
      private static func request(_ target: [ClosedRange<Int64>]) -> [Int: ClosedRange<Int64>] {
        let head = [constant(0x7165_7220_6765_6D69), constant(4), choice(12), any, count, count]
        let drawing = [ClosedRange<Int64>](repeating: count, count: 5)
        let process = [count, count, choice(3)]
        let limits = [ClosedRange<Int64>](repeating: count, count: 10) + [choice(2), choice(3), count]
        return fields(
          [head, drawing, process, limits, [flag, choice(2), flag, flag], target].flatMap { $0 })
      }

      /// Without a target, and with each of its sides, or both.
      private static let requests: [[Int: ClosedRange<Int64>]] = {
        let rest = [choice(2), flag, flag, choice(2)]
        let (no, yes) = (constant(0), constant(1))
        let sides: [[ClosedRange<Int64>]] = [
          [no, no], [yes, any, no], [no, yes, any], [yes, any, yes, any],
        ]
        return [request([no])] + sides.map { request([yes] + $0 + rest) }
      }()

      /// The same for each kind of reply, by its number.
      private static let replies: [(kind: Int64, fields: [Int: ClosedRange<Int64>])] = {
        let header: [ClosedRange<Int64>] = [
          choice(ImageFormat.allCases.count), count, count, choice(8), flag, flag, flag, 0...64,
        ]
        func claim(_ colors: ClosedRange<Int64>, _ profile: ClosedRange<Int64>) -> [ClosedRange<Int64>] {
          [count, count, choice(6), colors, flag, count, count, profile, count]
        }
        let numbers = [ClosedRange<Int64>](repeating: any, count: 17)
        let (no, yes) = (constant(0), constant(1))
        var replies: [(Int64, [ClosedRange<Int64>])] = [
          (0, [0...Int64(UInt32.max)]), (1, claim(choice(3), no) + [no]),
          (1, claim(constant(2), count) + [no]),
          (1, claim(choice(3), no) + [yes, count, count, choice(6), count] + numbers), (2, []), (3, header),
          (4, header + [no]), (4, header + [yes, count]), (6, []), (7, [count, count]), (8, [count, count]),
          (5, [constant(6), choice(ImageFormat.allCases.count)]), (5, [17...20, count, count, count]),
          (5, [21...26, count]),
        ]
        for kind in Array(0...5) + Array(7...16) as [Int64] { replies.append((5, [constant(kind)])) }
        return replies.map { kind, content in
          let head = [constant(0x6C70_6572_2067_6D69), constant(4), constant(kind), any, any]
          return (kind, fields(head + content))
        }
      }()

      private static func bytes(_ numbers: [Int: Int64]) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: WorkerProbe.byteCount)
        for (field, number) in numbers {
          withUnsafeBytes(of: number.littleEndian) {
            bytes.replaceSubrange(field * 8..<field * 8 + 8, with: $0)
          }
        }
        return bytes
      }

      private static func numbers(_ bytes: [UInt8]) -> [Int: Int64] {
        var numbers: [Int: Int64] = [:]
        for field in 0..<WorkerProbe.numberCount {
          let number = bytes[field * 8..<field * 8 + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
          if number != 0 { numbers[field] = Int64(bitPattern: number) }
        }
        return numbers
      }

      /// Each field at its bounds, and next to them; all others hold numbers of their own, as far as they can.
      private static func check(
        _ fields: [Int: ClosedRange<Int64>], _ rewritten: ([UInt8]) -> [UInt8]?, _ note: String
      ) {
        var usual: [Int: Int64] = [:]
        for (field, range) in fields {
          usual[field] = min(max(range.lowerBound, Int64(field)), range.upperBound)
        }
        #expect(rewritten(bytes(usual)) == bytes(usual), "\(note)")
        for (field, range) in fields {
          for number in [range.lowerBound, range.upperBound] {
            var changed = usual
            changed[field] = number
            #expect(rewritten(bytes(changed)) == bytes(changed), "\(note), \(field): \(number)")
          }
          // Another number of a constant may be that of another kind of message.
          let isOther = field > 1 && range.lowerBound == range.upperBound
          for number in [range.lowerBound &- 1, range.upperBound &+ 1]
          where !range.contains(number) && !isOther {
            var changed = usual
            changed[field] = number
            // A list of numbers, of which others are in the list as well.
            guard range != 17...20, range != 21...26 else { continue }
            #expect(rewritten(bytes(changed)) == nil, "\(note), \(field): \(number)")
          }
        }
      }

      @Test("A worker accepts each number of a request up to its bounds, and keeps it in its place")
      func workers() {
        for (index, fields) in Self.requests.enumerated() {
          Self.check(fields, WorkerProbe.rewritten(request:), "request \(index)")
        }
        // Whether there is a target, and whether it has sides.
        let start = Self.requests[0].count - 1
        for field in [start, start + 1, start + 2] {
          for number: Int64 in [-1, 2] {
            var numbers: [Int: Int64] = [0: 0x7165_7220_6765_6D69, 1: 4, start: 1]
            #expect(WorkerProbe.rewritten(request: Self.bytes(numbers)) == Self.bytes(numbers))
            numbers[field] = number
            #expect(WorkerProbe.rewritten(request: Self.bytes(numbers)) == nil, "\(field): \(number)")
          }
        }
      }

      @Test("A program accepts each number of a reply up to its bounds, and keeps it in its place")
      func programs() {
        for (kind, fields) in Self.replies {
          Self.check(fields, WorkerProbe.rewritten(reply:), "reply \(kind), \(fields.count) fields")
        }
        // The kinds of replies and errors, and whether there is a gain map or a count of plays.
        for (kind, field, wrong) in [
          (5, 2, 9), (5, 2, -1), (5, 5, 27), (5, 5, -1), (1, 14, 2), (1, 14, -1), (4, 13, 2), (4, 13, -1),
        ] as [(Int64, Int, Int64)] {
          var numbers: [Int: Int64] = [0: 0x6C70_6572_2067_6D69, 1: 4, 2: kind]
          #expect(WorkerProbe.rewritten(reply: Self.bytes(numbers)) == Self.bytes(numbers))
          numbers[field] = wrong
          #expect(WorkerProbe.rewritten(reply: Self.bytes(numbers)) == nil, "\(field): \(wrong)")
        }
      }

      @Test("A message has exactly 768 bytes, and a text of up to 256")
      func lengths() {
        let usual: [Int: Int64] = [0: 0x6C70_6572_2067_6D69, 1: 4, 2: 5, 5: 10]
        let message = Self.bytes(usual)
        #expect(message.count == 768)
        #expect(WorkerProbe.rewritten(reply: message) == message)
        for bytes in [Array(message.dropLast()), message + [0], []] {
          #expect(WorkerProbe.rewritten(reply: bytes) == nil)
        }
        for count in [0, 1, 255, 256] {
          var long = message
          long[63 * 8] = UInt8(count & 255)
          long[63 * 8 + 1] = UInt8(count >> 8)
          for index in 0..<count { long[512 + index] = UInt8(0x41 + index % 26) }
          #expect(WorkerProbe.rewritten(reply: long) == long)
        }
        for count: Int64 in [-1, 257] {
          #expect(WorkerProbe.rewritten(reply: Self.bytes(usual.merging([63: count]) { $1 })) == nil)
        }
        let text = String(repeating: "ä", count: 129)
        #expect(WorkerProbe.passed(.corrupt(text)) == .corrupt(String(text.dropLast())))
        #expect(
          WorkerProbe.passed(.corrupt("a\u{1B}[2J\u{202E}\u{2028}\u{E000}b\n")) == .corrupt("a?[2J???b?"))
      }

      @Test("A request to decode holds its options, and nothing else")
      func decoding() {
        var options = DecodingOptions(target: ResizeTarget(width: 7, height: nil, upscales: true))
        options.limits.oversize = .downscale
        options.keepsDepth = true

        let numbers = Self.numbers(WorkerProbe.request(decoding: [1, 2], options: options))

        // Twice the pixels, and a profile, and a megabyte.
        let memory: Int64 = (256 << 20) * 2 + 4 << 20 + 1 << 20
        let limits: [Int64] = [
          64 << 20, 65_535, 50_000_000, 256 << 20, 512 << 20, 5_000, 64, 1_000, 1_000, 4 << 20,
        ]
        var expected: [Int: Int64] = [
          0: 0x7165_7220_6765_6D69, 1: 4, 2: 1, 4: 2, 5: memory, 9: 1, 10: 1, 24: 1, 25: 1, 26: 10_000_000,
          29: 1, 31: 1,
          32: 1, 33: Int64(bitPattern: (7.0).bitPattern), 35: 1, 37: 1,
        ]
        for (field, limit) in zip(14..., limits) { expected[field] = limit }
        #expect(numbers == expected)
      }

      @Test("A reply with an image holds what it claims, and nothing else")
      func image() {
        let numbers = Self.numbers(WorkerProbe.reply(width: 5, height: 6))
        #expect(
          numbers == [0: 0x6C70_6572_2067_6D69, 1: 4, 2: 1, 3: 1, 4: 0x5EED, 5: 5, 6: 6, 7: 1, 8: 1, 9: 1])
      }

      @Test("Sizes in an error are clamped to what a message can hold")
      func sizes() {
        for (width, height, expected) in [
          (0, .max, (0, 1 << 48)), (.max, 0, (1 << 48, 0)), (-1, -7, (0, 0)), (3, 4, (3, 4)),
        ] as [(Int, Int, (Int, Int))] {
          #expect(
            WorkerProbe.passed(.tooLarge(width: width, height: height, limit: .side(1)))
              == .tooLarge(width: expected.0, height: expected.1, limit: .side(1)))
        }
      }
    }
  }
#endif
