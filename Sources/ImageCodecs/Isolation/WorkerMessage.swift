/// A message between a program and its worker: numbers in fixed places, and a short text. All messages have the same length.
struct WorkerMessage {
  static let numberCount = 64
  static let textCount = 256
  static let byteCount = numberCount * 8 + textCount

  private var numbers: [Int64]
  private(set) var text: [UInt8] = []

  init() { numbers = Array(repeating: 0, count: Self.numberCount) }

  /// Nil unless these are exactly the bytes of a message.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count == Self.byteCount else { return nil }
    numbers = Array(repeating: 0, count: Self.numberCount)
    for index in 0..<Self.numberCount {
      numbers[index] = Int64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: Int64.self))
    }
    let count = numbers[Self.numberCount - 1]
    guard count >= 0, count <= Int64(Self.textCount) else { return nil }
    text = Array(bytes[(Self.numberCount * 8)...].prefix(Int(count)))
  }

  subscript(field: Int) -> Int64 {
    get { numbers[field] }
    set { numbers[field] = newValue }
  }

  mutating func setText(_ string: String) {
    text = Array(string.utf8.prefix(Self.textCount))
    numbers[Self.numberCount - 1] = Int64(text.count)
  }

  /// Text of a worker, which is not trusted. Characters that control a terminal or a log become question marks.
  var safeText: String {
    let characters = String(decoding: text, as: UTF8.self).unicodeScalars.map { scalar -> Unicode.Scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: "?"
      default: scalar
      }
    }
    return String(String.UnicodeScalarView(characters))
  }

  func withBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    withUnsafeTemporaryAllocation(byteCount: Self.byteCount, alignment: 8) { buffer in
      buffer.initializeMemory(as: UInt8.self, repeating: 0)
      for index in 0..<Self.numberCount {
        buffer.storeBytes(of: numbers[index].littleEndian, toByteOffset: index * 8, as: Int64.self)
      }
      for (index, byte) in text.enumerated() { buffer[Self.numberCount * 8 + index] = byte }
      return body(UnsafeRawBufferPointer(buffer))
    }
  }
}

extension WorkerMessage {
  /// A number that is used as a count or a size: not negative, and small enough to be added to others.
  func count(_ field: Int) -> Int? {
    let value = self[field]
    return value >= 0 && value <= 1 << 48 ? Int(value) : nil
  }

  func flag(_ field: Int) -> Bool? {
    switch self[field] {
    case 0: false
    case 1: true
    default: nil
    }
  }

  /// The case of an enumeration, by its place among all of them.
  func choice<Value: CaseIterable>(_ field: Int, _ type: Value.Type = Value.self) -> Value?
  where Value.AllCases == [Value] {
    let cases = Value.allCases
    let value = self[field]
    return value >= 0 && value < Int64(cases.count) ? cases[Int(value)] : nil
  }

  mutating func set(_ field: Int, _ value: Int) { self[field] = Int64(value) }
  mutating func set(_ field: Int, _ value: Bool) { self[field] = value ? 1 : 0 }

  mutating func set<Value: CaseIterable & Equatable>(_ field: Int, _ value: Value)
  where Value.AllCases == [Value] {
    self[field] = Int64(Value.allCases.firstIndex(of: value) ?? -1)
  }
}
