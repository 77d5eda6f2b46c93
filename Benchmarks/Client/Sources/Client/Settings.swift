#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

/// What the user prefers.
final class Settings {
  @Published var currency = "EUR"
  @Published var pageSize = 2
  @Published var isDark = false
  @Published var showsPrices = true

  var changes: AnyPublisher<String, Never> {
    $currency.dropFirst().map { "currency \($0)" }.eraseToAnyPublisher()
  }

  var format: AnyPublisher<(Int) -> String, Never> {
    $currency
      .removeDuplicates()
      .map { currency in { price in "\(price / 100).\(price % 100 + 100) \(currency)" } }
      .eraseToAnyPublisher()
  }
}
