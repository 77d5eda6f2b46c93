/// Which chains the page asks for.
struct Selection: Sendable {
  enum Order: String { case oldest, newest, silent, values, drops }

  enum Kind: String { case all, blocked, silent, dropping }

  static let maximumRowCount = 1_000

  /// A part of a name, in small letters.
  var find = ""
  var order = Order.oldest
  var kind = Kind.all
  var rowCount = maximumRowCount

  init() {}

  /// `nil` if a parameter is unknown or not valid.
  init?(_ parameters: [String: String]) {
    for (name, value) in parameters {
      switch name {
      case "find": find = value.lowercased()
      case "order":
        guard let known = Order(rawValue: value) else { return nil }
        order = known
      case "kind":
        guard let known = Kind(rawValue: value) else { return nil }
        kind = known
      case "rows":
        guard let count = Int(value), (1...Self.maximumRowCount).contains(count) else { return nil }
        rowCount = count
      default: return nil
      }
    }
  }
}
