import Foundation
import Streams

protocol ScannerDelegate: AnyObject {
  func scanner(_ scanner: BarcodeScanner, found code: String)
  func scannerFinished(_ scanner: BarcodeScanner, error: (any Error)?)
}

/// An API with a delegate.
final class BarcodeScanner {
  weak var delegate: (any ScannerDelegate)?

  func scan(_ text: String) {
    for code in text.split(separator: " ") {
      if code == "!" {
        delegate?.scannerFinished(self, error: ScanError.unreadable)
        return
      }
      delegate?.scanner(self, found: String(code))
    }
    delegate?.scannerFinished(self, error: nil)
  }
}

enum ScanError: Error { case unreadable, other }

private final class ScannerProxy: ScannerDelegate {
  let codes = PassthroughSubject<String, ScanError>()

  func scanner(_ scanner: BarcodeScanner, found code: String) { codes.send(code) }

  func scannerFinished(_ scanner: BarcodeScanner, error: (any Error)?) {
    codes.send(completion: error.map { .failure($0 as? ScanError ?? .other) } ?? .finished)
  }
}

extension BarcodeScanner {
  /// Becomes the delegate when somebody subscribes, and lets go at the end.
  func codes() -> AnyPublisher<String, ScanError> {
    Deferred { () -> AnyPublisher<String, ScanError> in
      let proxy = ScannerProxy()
      self.delegate = proxy
      return proxy.codes
        .handleEvents(receiveCompletion: { _ in withExtendedLifetime(proxy) { self.delegate = nil } })
        .eraseToAnyPublisher()
    }
    .eraseToAnyPublisher()
  }
}

/// A button that publishes its taps, in place of targets and actions.
private final class Button {
  private let taps = PassthroughSubject<Void, Never>()
  var tapPublisher: AnyPublisher<Void, Never> { taps.eraseToAnyPublisher() }
  @Published var isEnabled = true

  func tap() { if isEnabled { taps.send() } }
}

private final class Loader {
  let isLoading = CurrentValueSubject<Bool, Never>(false)
  private let results = PassthroughSubject<Int, Never>()

  func load() -> AnyPublisher<Int, Never> {
    results.first()
      .handleEvents(
        receiveSubscription: { [isLoading] _ in isLoading.send(true) },
        receiveCompletion: { [isLoading] _ in isLoading.send(false) },
        receiveCancel: { [isLoading] in isLoading.send(false) }
      )
      .eraseToAnyPublisher()
  }

  func answer(_ value: Int) { results.send(value) }
}

@MainActor
func delegates() async {
  var bag = Set<AnyCancellable>()
  let scanner = BarcodeScanner()
  scanner.codes().collect()
    .sink(receiveCompletion: { print("scan:", $0) }, receiveValue: { print("codes:", $0) })
    .store(in: &bag)
  scanner.scan("a b c")
  scanner.codes()
    .sink(
      receiveCompletion: { if case .failure(.unreadable) = $0 { print("unreadable") } },
      receiveValue: { print("code:", $0) }
    )
    .store(in: &bag)
  scanner.scan("a ! c")
  print("delegate is gone:", scanner.delegate == nil)

  let button = Button()
  let loader = Loader()
  loader.isLoading.map(!).assign(to: \.isEnabled, on: button).store(in: &bag)
  loader.isLoading.removeDuplicates().sink { print("loading:", $0) }.store(in: &bag)
  button.tapPublisher
    .map { loader.load() }
    .switchToLatest()
    .scan(0, +)
    .sink { print("sum:", $0) }
    .store(in: &bag)
  button.tap()
  button.tap()
  loader.answer(2)
  button.tap()
  loader.answer(3)
  print("enabled:", button.isEnabled)
}
