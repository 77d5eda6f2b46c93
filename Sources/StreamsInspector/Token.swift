/// 128 random bits of the system, as 32 digits.
struct Token: CustomStringConvertible, Sendable {
  let description: String

  init() {
    var generator = SystemRandomNumberGenerator()
    description = (0..<4).map { _ in
      let digits = String(generator.next() as UInt32, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  /// Compares all bytes, so that the time of a refusal does not depend on how many are right.
  func isEqual(to other: Substring) -> Bool {
    guard other.utf8.count == description.utf8.count else { return false }
    return zip(other.utf8, description.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
