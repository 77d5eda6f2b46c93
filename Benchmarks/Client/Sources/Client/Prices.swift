#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

/// Prices that change while one looks at them.
final class Prices {
  struct Quote: Equatable {
    let product: Int
    let price: Int
  }

  private let quotes = PassthroughSubject<Quote, ShopError>()

  func publish(_ quote: Quote) {
    quotes.send(quote)
  }

  func quotes(of product: Int) -> AnyPublisher<Int, ShopError> {
    quotes.filter { $0.product == product }.map(\.price).removeDuplicates().eraseToAnyPublisher()
  }

  func changes(of product: Int) -> AnyPublisher<Int, Never> {
    quotes(of: product)
      .scan((last: 0, change: 0)) { (last: $1, change: $1 - $0.last) }
      .map(\.change)
      .dropFirst()
      .replaceError(with: 0)
      .eraseToAnyPublisher()
  }

  var highest: AnyPublisher<Quote, Never> {
    quotes
      .tryMap { quote in
        guard quote.price >= 0 else { throw ShopError.malformed }
        return quote
      }
      .catch { _ in Empty<Quote, Never>() }
      .scan(Quote(product: 0, price: 0)) { $1.price > $0.price ? $1 : $0 }
      .removeDuplicates()
      .eraseToAnyPublisher()
  }
}
