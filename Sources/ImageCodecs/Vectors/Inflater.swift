/// Decompresses a Deflate stream (RFC 1951).
struct Inflater {
  private(set) var output: [UInt8] = []
  /// Whether there is more output than the limit allows.
  private(set) var isFull = false
  private var input: Slice<UnsafeRawBufferPointer>
  private let outputLimit: Int
  private var held: UInt32 = 0
  private var heldCount = 0

  init(_ input: Slice<UnsafeRawBufferPointer>, outputLimit: Int) {
    (self.input, self.outputLimit) = (input, outputLimit)
  }

  /// The bytes behind the stream.
  var rest: Slice<UnsafeRawBufferPointer> { input }

  /// Returns at the end of the stream, or when the output is full.
  mutating func run() throws(ImageCodecError) {
    var isLast = false
    while !isLast, !isFull {
      isLast = try bits(1) == 1
      switch try bits(2) {
      case 0: try copyStored()
      case 1: try inflate(.fixedLengths, .fixedDistances)
      case 2:
        let (lengths, distances) = try codes()
        try inflate(lengths, distances)
      default: throw Self.damage
      }
    }
  }

  fileprivate static let damage = ImageCodecError.corrupt("damaged Deflate data")

  private mutating func bits(_ count: Int) throws(ImageCodecError) -> Int {
    while heldCount < count {
      guard let byte = input.popFirst() else { throw .truncated }
      held |= UInt32(byte) << UInt32(heldCount)
      heldCount += 8
    }
    let value = held & (1 << UInt32(count) - 1)
    held >>= UInt32(count)
    heldCount -= count
    return Int(value)
  }

  private mutating func copyStored() throws(ImageCodecError) {
    // Fewer than eight bits are held, and the rest of their byte is unused.
    (held, heldCount) = (0, 0)
    let (count, check) = (try bits(16), try bits(16))
    guard count == ~check & 0xFFFF else { throw Self.damage }
    guard input.count >= count else { throw .truncated }
    isFull = count > outputLimit - output.count
    output += input.prefix(min(count, outputLimit - output.count))
    input = input.dropFirst(count)
  }

  private mutating func inflate(_ lengths: HuffmanCode, _ distances: HuffmanCode) throws(ImageCodecError) {
    while true {
      let symbol = try self.symbol(of: lengths)
      guard symbol != 256 else { return }
      guard output.count < outputLimit else {
        isFull = true
        return
      }
      if symbol < 256 {
        output.append(UInt8(symbol))
      } else {
        try copy(symbol - 257, distances)
        if isFull { return }
      }
    }
  }

  /// Repeats earlier output, which may overlap with what is written.
  private mutating func copy(_ symbol: Int, _ distances: HuffmanCode) throws(ImageCodecError) {
    guard symbol < Self.lengths.count else { throw Self.damage }
    let length = Self.lengths[symbol].base + (try bits(Self.lengths[symbol].extra))
    let place = try self.symbol(of: distances)
    guard place < Self.distances.count else { throw Self.damage }
    let distance = Self.distances[place].base + (try bits(Self.distances[place].extra))
    guard distance <= output.count else { throw Self.damage }
    isFull = length > outputLimit - output.count
    for _ in 0..<min(length, outputLimit - output.count) { output.append(output[output.count - distance]) }
  }

  private mutating func symbol(of code: HuffmanCode) throws(ImageCodecError) -> Int {
    var (value, first, index) = (0, 0, 0)
    for count in code.counts.dropFirst() {
      value |= try bits(1)
      if value - first < count { return code.symbols[index + value - first] }
      index += count
      first = (first + count) << 1
      value <<= 1
    }
    throw Self.damage
  }

  /// The codes of a block that has its own.
  private mutating func codes() throws(ImageCodecError) -> (HuffmanCode, HuffmanCode) {
    let (lengthCount, distanceCount, count) = (try bits(5) + 257, try bits(5) + 1, try bits(4) + 4)
    guard lengthCount <= 286 else { throw Self.damage }
    var lengths = [Int](repeating: 0, count: 19)
    for place in Self.order.prefix(count) { lengths[place] = try bits(3) }
    let code = try HuffmanCode(lengths[...])
    lengths = []
    while lengths.count < lengthCount + distanceCount {
      let symbol = try self.symbol(of: code)
      switch symbol {
      case 16:
        guard let last = lengths.last else { throw Self.damage }
        lengths += Array(repeating: last, count: try bits(2) + 3)
      case 17: lengths += Array(repeating: 0, count: try bits(3) + 3)
      case 18: lengths += Array(repeating: 0, count: try bits(7) + 11)
      default: lengths.append(symbol)
      }
    }
    guard lengths.count == lengthCount + distanceCount else { throw Self.damage }
    return (try HuffmanCode(lengths[..<lengthCount]), try HuffmanCode(lengths[lengthCount...]))
  }

  private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  private static let lengths: [(base: Int, extra: Int)] =
    (0..<28).map { symbol in
      let extra = max(0, symbol / 4 - 1)
      return (3 + (symbol < 4 ? symbol : (4 + symbol % 4) << extra), extra)
    } + [(258, 0)]

  private static let distances: [(base: Int, extra: Int)] =
    (0..<30).map { symbol in
      let extra = max(0, symbol / 2 - 1)
      return (1 + (symbol < 2 ? symbol : (2 + symbol % 2) << extra), extra)
    }
}

/// A canonical Huffman code: its symbols in the order of their codes, and the number of codes of each length.
struct HuffmanCode {
  private(set) var counts = [Int](repeating: 0, count: 16)
  private(set) var symbols: [Int] = []

  /// - Parameter lengths: The length of the code of each symbol; 0 for none.
  init(_ lengths: ArraySlice<Int>) throws(ImageCodecError) {
    self.init(fixed: lengths)
    // A code that is not complete is allowed, because decoding fails at a code that does not exist.
    var free = 1
    for count in counts.dropFirst() {
      free = free * 2 - count
      if free < 0 { throw Inflater.damage }
    }
  }

  private init(fixed lengths: ArraySlice<Int>) {
    for length in lengths where length > 0 { counts[length] += 1 }
    for length in 1...15 {
      symbols += lengths.indices.filter { lengths[$0] == length }.map { $0 - lengths.startIndex }
    }
  }

  static let fixedLengths = HuffmanCode(
    fixed: ([8].repeated(144) + [9].repeated(112) + [7].repeated(24) + [8].repeated(8))[...])
  static let fixedDistances = HuffmanCode(fixed: [5].repeated(30)[...])
}

extension [Int] {
  fileprivate func repeated(_ count: Int) -> [Int] { Array(repeating: self[0], count: count) }
}
