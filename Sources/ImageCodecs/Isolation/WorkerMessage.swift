/// A message between a program and its worker: numbers, and a short text. All messages have the same length.
///
/// Each part of a message lists its fields once, in order, as variables: those of a message that was received are set, and those of a new
/// message are stored.
package struct WorkerMessage {
  package static let numberCount = 64
  package static let textCount = 256
  package static let byteCount = numberCount * 8 + textCount

  private var numbers = [Int64](repeating: 0, count: Self.numberCount)
  private var bytes: [UInt8] = []
  private var next = 0
  /// Whether it was received, and is not trusted.
  let isReceived: Bool
  /// False after a number that its field cannot have.
  private(set) var isValid = true

  init() { isReceived = false }

  /// Nil unless these are exactly the bytes of a message.
  package init?(_ buffer: UnsafeRawBufferPointer) {
    guard buffer.count == Self.byteCount else { return nil }
    isReceived = true
    for index in 0..<Self.numberCount {
      numbers[index] = Int64(littleEndian: buffer.loadUnaligned(fromByteOffset: index * 8, as: Int64.self))
    }
    let count = numbers[Self.numberCount - 1]
    guard count >= 0, count <= Int64(Self.textCount) else { return nil }
    bytes = Array(buffer[(Self.numberCount * 8)...].prefix(Int(count)))
  }

  package subscript(field: Int) -> Int64 {
    get { numbers[field] }
    set { numbers[field] = newValue }
  }

  package func withBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    withUnsafeTemporaryAllocation(byteCount: Self.byteCount, alignment: 8) { buffer in
      buffer.initializeMemory(as: UInt8.self, repeating: 0)
      for index in 0..<Self.numberCount {
        buffer.storeBytes(of: numbers[index].littleEndian, toByteOffset: index * 8, as: Int64.self)
      }
      for (index, byte) in bytes.enumerated() { buffer[Self.numberCount * 8 + index] = byte }
      return body(UnsafeRawBufferPointer(buffer))
    }
  }
}

/// The next field, of each kind.
extension WorkerMessage {
  /// Any number.
  mutating func number(_ value: inout Int64) {
    if isReceived { value = numbers[next] } else { numbers[next] = value }
    next += 1
  }

  /// A number from 0, which is left as it is if it is above `most`.
  private mutating func number(_ value: inout Int, most: Int) {
    var number = Int64(value)
    self.number(&number)
    if (0...Int64(most)).contains(number) { value = Int(number) } else { isValid = false }
  }

  /// A number that is always this one.
  mutating func constant(_ value: Int64) {
    var found = value
    number(&found)
    if found != value { isValid = false }
  }

  /// A count or a size: not negative, and small enough to be added to others. Others are stored as the nearest one.
  mutating func count(_ value: inout Int, most: Int = 1 << 48) {
    if !isReceived { value = min(max(value, 0), most) }
    number(&value, most: most)
  }

  /// The count to go on with: this one, or the one that was received.
  mutating func counted(_ value: Int) -> Int {
    var value = value
    count(&value)
    return value
  }

  mutating func flag(_ value: inout Bool) {
    var number = value ? 1 : 0
    self.number(&number, most: 1)
    value = number == 1
  }

  /// The element of a list, by its index.
  mutating func choice<Value>(_ value: inout Value, of all: [Value], where isSame: (Value) -> Bool) {
    var index = isReceived ? 0 : all.firstIndex(where: isSame) ?? -1
    number(&index, most: all.count - 1)
    if isReceived { value = all[index] }
  }

  mutating func choice<Value: CaseIterable & Equatable>(_ value: inout Value)
  where Value.AllCases == [Value] {
    let wanted = value
    choice(&value, of: Value.allCases) { $0 == wanted }
  }

  mutating func real(_ value: inout Double) {
    var bits = Int64(bitPattern: value.bitPattern)
    number(&bits)
    value = Double(bitPattern: UInt64(bitPattern: bits))
  }

  /// A duration, in microseconds.
  mutating func duration(_ value: inout Duration) {
    var microseconds = Int(min(max(value / .microseconds(1), 0), 0x1p48))
    count(&microseconds)
    value = .microseconds(microseconds)
  }

  mutating func size(_ value: inout PixelSize) {
    count(&value.width)
    count(&value.height)
  }

  /// A value that may be missing.
  mutating func optional<Value>(
    _ value: inout Value?, _ blank: Value, _ fields: (inout WorkerMessage, inout Value) -> Void
  ) {
    var isThere = value != nil
    flag(&isThere)
    guard isThere else { return value = nil }
    var found = value ?? blank
    fields(&self, &found)
    value = found
  }

  /// Stores the text, or returns the one that was received. There, characters that control a terminal or a log are question marks.
  mutating func text(_ text: String) -> String {
    guard isReceived else {
      bytes = Array(text.utf8.prefix(Self.textCount))
      numbers[Self.numberCount - 1] = Int64(bytes.count)
      return text
    }
    let characters = String(decoding: bytes, as: UTF8.self).unicodeScalars.map { scalar -> Unicode.Scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: "?"
      default: scalar
      }
    }
    return String(String.UnicodeScalarView(characters))
  }
}
