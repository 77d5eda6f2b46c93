struct Product: Codable, Equatable, Identifiable {
  let id: Int
  let title: String
  let price: Int
  var tags: [String] = []
}

struct User: Codable, Equatable {
  let name: String
  let isMember: Bool
}

struct Review: Codable, Equatable {
  let product: Int
  let stars: Int
  let text: String
}

struct Order: Equatable {
  enum State: Equatable { case placed, paid, sent }
  let number: Int
  var lines: [Line]
  var state = State.placed
  var total: Int { lines.reduce(0) { $0 + $1.product.price * $1.count } }
}

struct Line: Equatable {
  let product: Product
  var count: Int
}

enum ShopError: Error, Equatable {
  case offline, notFound, malformed, refused(String)

  var message: String {
    switch self {
    case .offline: "No connection"
    case .notFound: "Not found"
    case .malformed: "The answer could not be read"
    case .refused(let reason): "Refused: \(reason)"
    }
  }
}
