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

      /// The numbers that each field of a request can have.
      private static let request: [Int: ClosedRange<Int64>] = {
        var fields: [Int: ClosedRange<Int64>] = [
          0: 0x7165_7220_6765_6D69...0x7165_7220_6765_6D69, 1: 3...3, 2: choice(12), 3: any, 4: count,
          5: count,
          20: choice(2), 21: count, 22: flag, 23: flag, 24: any, 25: flag, 26: any, 27: choice(2),
          28: choice(4),
          29: choice(2), 30: flag, 31: choice(2), 32: flag, 40: choice(3), 41: choice(3), 42: flag,
        ]
        for field in Array(10...19) + Array(33...39) { fields[field] = count }
        return fields
      }()

      private static let header: [Int: ClosedRange<Int64>] = [
        14: choice(ImageFormat.allCases.count), 15: count, 16: count, 17: choice(8), 18: flag, 19: flag,
        20: flag,
        21: 0...64,
      ]

      /// The same for each kind of reply, by its name in the test.
      private static let replies: [(kind: Int64, fields: [Int: ClosedRange<Int64>])] = {
        let claim: [Int: ClosedRange<Int64>] = [
          4: count, 5: count, 6: choice(6), 7: choice(3), 8: flag, 9: count, 10: count, 11: count, 12: count,
        ]
        var map = claim
        map[13] = 1...1
        map.merge([14: count, 15: count, 16: choice(6), 17: count]) { $1 }
        for field in 18..<35 { map[field] = any }
        var animation = header
        (animation[22], animation[23]) = (count, 0...0)
        var failures: [[Int: ClosedRange<Int64>]] = [
          [24: 0...0, 25: choice(6)], [24: 1...1, 25: choice(ImageFormat.allCases.count)],
          [24: 4...4, 25: count, 26: count, 27: choice(4), 28: count], [24: 5...5, 27: choice(6), 28: count],
        ]
        for kind in [2, 3, 6, 7, 8, 9, 10, 11, 12, 13] as [Int64] { failures.append([24: kind...kind]) }
        return [
          (0, [4: 0...Int64(UInt32.max)]), (1, claim), (1, map), (2, [:]), (3, header), (4, animation),
          (6, [:]),
          (7, [4: count, 5: count]), (8, [4: count, 5: count]),
        ] + failures.map { (5, $0) }
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
            // Without a target or a side, nothing is written in place of it.
            for (flag, others) in [22: 23...29, 23: 24...24, 25: 26...26] as [Int: ClosedRange<Int>]
            where fields[24] != nil && fields[42] != nil && changed[flag] == 0 {
              for other in others { changed[other] = nil }
            }
            // Only a profile has bytes.
            if note.hasPrefix("reply"), fields[7] != nil, changed[7] == 0 { changed[11] = nil }
            #expect(rewritten(bytes(changed)) == bytes(changed), "\(note), \(field): \(number)")
          }
          for number in [range.lowerBound &- 1, range.upperBound &+ 1] where !range.contains(number) {
            var changed = usual
            changed[field] = number
            #expect(rewritten(bytes(changed)) == nil, "\(note), \(field): \(number)")
          }
        }
      }

      @Test("A worker accepts each number of a request up to its bounds, and keeps it in its place")
      func requests() {
        Self.check(Self.request, WorkerProbe.rewritten(request:), "request")
      }

      @Test("A program accepts each number of a reply up to its bounds, and keeps it in its place")
      func replies() {
        for (kind, fields) in Self.replies {
          var fields = fields
          fields[0] = 0x6C70_6572_2067_6D69...0x6C70_6572_2067_6D69
          (fields[1], fields[2], fields[3], fields[62]) = (3...3, kind...kind, Self.any, Self.any)
          // Other kinds of replies and errors are no error of this field.
          let others = fields.filter {
            $0.key != 2 && $0.key != 24 && !($0.key == 13 && kind == 1) && !($0.key == 23 && kind == 4)
          }
          let own = fields.filter { others[$0.key] == nil }.mapValues(\.lowerBound)
          Self.check(
            others,
            { bytes in
              var bytes = bytes
              for (field, number) in own {
                withUnsafeBytes(of: number.littleEndian) {
                  bytes.replaceSubrange(field * 8..<field * 8 + 8, with: $0)
                }
              }
              guard var found = WorkerProbe.rewritten(reply: bytes) else { return nil }
              for field in own.keys {
                found.replaceSubrange(field * 8..<field * 8 + 8, with: repeatElement(0, count: 8))
              }
              return found
            }, "reply \(kind), \(own)")
        }
        for (field, wrong) in [(2, 9), (2, -1), (24, 14), (24, -1)] as [(Int, Int64)] {
          var numbers: [Int: Int64] = [0: 0x6C70_6572_2067_6D69, 1: 3, 2: 5, 24: 6]
          #expect(WorkerProbe.rewritten(reply: Self.bytes(numbers)) == Self.bytes(numbers))
          numbers[field] = wrong
          #expect(WorkerProbe.rewritten(reply: Self.bytes(numbers)) == nil, "\(field): \(wrong)")
        }
      }

      @Test("A reply to an animation without end holds no count of plays")
      func endless() {
        var numbers: [Int: Int64] = [0: 0x6C70_6572_2067_6D69, 1: 3, 2: 4, 15: 5, 16: 6, 23: 1]
        let bytes = Self.bytes(numbers)
        #expect(WorkerProbe.rewritten(reply: bytes) == bytes)
        numbers[22] = 9
        #expect(WorkerProbe.rewritten(reply: Self.bytes(numbers)) == bytes)
        for flag: Int64 in [-1, 2] {
          numbers[23] = flag
          #expect(WorkerProbe.rewritten(reply: Self.bytes(numbers)) == nil)
        }
      }

      @Test("A message has exactly 768 bytes, and a text of up to 256")
      func lengths() {
        let usual: [Int: Int64] = [0: 0x6C70_6572_2067_6D69, 1: 3, 2: 5, 24: 7]
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
        let expected: [Int: Int64] = [
          0: 0x7165_7220_6765_6D69, 1: 3, 2: 1, 4: 2, 5: memory, 10: 64 << 20, 11: 65_535, 12: 50_000_000,
          13: 256 << 20, 14: 512 << 20, 15: 5_000, 16: 64, 17: 1_000, 18: 1_000, 19: 4 << 20, 20: 1,
          21: 10_000_000, 22: 1, 23: 1, 24: Int64(bitPattern: (7.0).bitPattern), 27: 1, 28: 2, 32: 1, 36: 1,
          37: 1, 41: 1,
        ]
        #expect(numbers == expected)
      }

      @Test("A reply with an image holds what it claims, and nothing else")
      func image() {
        let numbers = Self.numbers(WorkerProbe.reply(width: 5, height: 6))
        #expect(
          numbers == [0: 0x6C70_6572_2067_6D69, 1: 3, 2: 1, 3: 1, 4: 5, 5: 6, 6: 1, 7: 1, 8: 1, 62: 0x5EED])
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
