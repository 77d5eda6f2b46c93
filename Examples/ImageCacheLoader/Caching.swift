import Foundation

/// Keeps something by URL. Each level of the cache is one of these, and so are both together.
protocol Caching<Value>: Sendable {
  associatedtype Value: Sendable

  /// What is kept; `nil` if nothing is.
  func value(for url: URL) -> Value?

  /// Takes the place of what is kept; `nil` removes it.
  func insert(_ value: Value?, for url: URL)

  func remove(_ url: URL)

  func removeAll()
}

extension Caching {
  func remove(_ url: URL) { insert(nil, for: url) }

  subscript(url: URL) -> Value? {
    get { value(for: url) }
    nonmutating set { insert(newValue, for: url) }
  }
}
