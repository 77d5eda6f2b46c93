// The standard library has all of these for every sequence. But on a sequence with an error type of its own, the
// compiler (6.3) crashes at a call of those under `try?` or in a `do`. These are found first, and throw any error.
extension AsyncThrowingPublisher {
  /// The first value for which `predicate` holds. What comes after is not awaited.
  public func first(where predicate: (Element) async throws -> Bool) async throws -> Element? {
    for try await value in self where try await predicate(value) { return value }
    return nil
  }

  /// Whether `predicate` holds for some value. What comes after it is not awaited.
  public func contains(where predicate: (Element) async throws -> Bool) async throws -> Bool {
    try await first(where: predicate) != nil
  }

  /// Whether `predicate` holds for all values. What comes after one for which it does not is not awaited.
  public func allSatisfy(_ predicate: (Element) async throws -> Bool) async throws -> Bool {
    for try await value in self where !(try await predicate(value)) { return false }
    return true
  }

  /// What is left when all values have been combined into one by `combine`.
  public func reduce<Result>(
    _ initial: Result, _ combine: (_ partial: Result, Element) async throws -> Result
  ) async throws -> Result {
    var result = initial
    for try await value in self { result = try await combine(result, value) }
    return result
  }

  /// What is left when `update` has taken in all values.
  public func reduce<Result>(
    into initial: Result, _ update: (_ partial: inout Result, Element) async throws -> Void
  ) async throws -> Result {
    var result = initial
    for try await value in self { try await update(&result, value) }
    return result
  }

  /// The least value, as `isLess` orders them; `nil` if there is none.
  public func min(by isLess: (Element, Element) async throws -> Bool) async throws -> Element? {
    try await reduce(nil) { least, value in
      guard let least else { return value }
      return try await isLess(value, least) ? value : least
    }
  }

  /// The greatest value, as `isLess` orders them; `nil` if there is none.
  public func max(by isLess: (Element, Element) async throws -> Bool) async throws -> Element? {
    try await reduce(nil) { greatest, value in
      guard let greatest else { return value }
      return try await isLess(greatest, value) ? value : greatest
    }
  }
}

extension AsyncThrowingPublisher where Element: Equatable {
  /// Whether `element` is among the values. What comes after it is not awaited.
  public func contains(_ element: Element) async throws -> Bool { try await contains { $0 == element } }
}

extension AsyncThrowingPublisher where Element: Comparable {
  /// The least value; `nil` if there is none.
  public func min() async throws -> Element? { try await min { $0 < $1 } }

  /// The greatest value; `nil` if there is none.
  public func max() async throws -> Element? { try await max { $0 < $1 } }
}
