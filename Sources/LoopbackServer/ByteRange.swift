/// Parses `Range: bytes=100-199`, `bytes=100-` and `bytes=-100`. Several ranges are ignored.
enum ByteRange {
  static func isOneRange(_ asked: String) -> Bool {
    asked.hasPrefix("bytes=") && !asked.contains(",")
  }

  /// Returns `nil` if the text is not a single range, or the range begins beyond the end.
  static func bounds(_ asked: String, of count: Int) -> Range<Int>? {
    guard isOneRange(asked) else { return nil }
    let parts = asked.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    if parts[0].isEmpty {
      guard let suffix = Int(parts[1]), suffix > 0, count > 0 else { return nil }
      return max(0, count - suffix)..<count
    }
    guard let first = Int(parts[0]), first < count else { return nil }
    let last = parts[1].isEmpty ? count - 1 : Int(parts[1]) ?? -1
    return last >= first ? first..<(min(last, count - 1) + 1) : nil
  }
}

extension Range<Int> {
  func shifted(by distance: Int, within count: Int) -> Range<Int> {
    Swift.min(lowerBound + distance, count - 1)..<Swift.min(upperBound + distance, count)
  }
}
