import Foundation
import Streams
import StreamsTesting

extension Example {
  static var operators: [Example] { mapping + choosing + joining + waiting }

  private static var mapping: [Example] {
    [
      Example("map") { print in
        let cancellable = [1, 2, 3].publisher
          .map { $0 * 10 }
          .sink { print($0) }
        // Prints 10, 20, 30
        cancellable.cancel()
      },
      Example("tryMap") { print in
        struct NotANumber: Error {}
        let cancellable = ["1", "x"].publisher
          .tryMap { text in
            guard let number = Int(text) else { throw NotANumber() }
            return number
          }
          .sink(receiveCompletion: { _ in print("failed") }, receiveValue: { print($0) })
        // Prints 1, failed
        cancellable.cancel()
      },
      Example("compactMap") { print in
        let cancellable = ["1", "x", "3"].publisher
          .compactMap { Int($0) }
          .sink { print($0) }
        // Prints 1, 3
        cancellable.cancel()
      },
      Example("map(_:)") { print in
        let cancellable = ["a", "bc"].publisher
          .map(\.count)
          .sink { print($0) }
        // Prints 1, 2
        cancellable.cancel()
      },
      Example("replaceNil") { print in
        let cancellable = Just<Int?>(nil)
          .replaceNil(with: 0)
          .sink { print($0) }
        // Prints 0
        cancellable.cancel()
      },
      Example("flatMap") { print in
        let cancellable = [1, 2].publisher
          .flatMap { [$0, $0 * 10].publisher }
          .sink { print($0) }
        // Prints 1, 10, 2, 20
        cancellable.cancel()
      },
      Example("switchToLatest") { print in
        let searches = PassthroughSubject<PassthroughSubject<String, Never>, Never>()
        let (first, second) = (PassthroughSubject<String, Never>(), PassthroughSubject<String, Never>())
        let cancellable = searches.switchToLatest().sink { print($0) }
        searches.send(first)
        first.send("a")  // Prints a
        searches.send(second)
        first.send("b")  // `first` is cancelled.
        second.send("c")  // Prints c
        cancellable.cancel()
      },
      Example("scan") { print in
        let cancellable = [1, 2, 3].publisher
          .scan(0) { sum, number in sum + number }
          .sink { print($0) }
        // Prints 1, 3, 6
        cancellable.cancel()
      },
      Example("setFailureType") { print in
        let numbers = [1, 2].publisher.setFailureType(to: URLError.self)
        let request = Fail<Int, URLError>(error: URLError(.timedOut))
        let cancellable = numbers.append(request)
          .sink(receiveCompletion: { _ in print("failed") }, receiveValue: { print($0) })
        // Prints 1, 2, failed
        cancellable.cancel()
      },
    ]
  }

  private static var choosing: [Example] {
    [
      Example("filter") { print in
        let cancellable = (1...6).publisher
          .filter { $0.isMultiple(of: 2) }
          .sink { print($0) }
        // Prints 2, 4, 6
        cancellable.cancel()
      },
      Example("drop(while:)") { print in
        let cancellable = [1, 2, 9, 1].publisher
          .drop { $0 < 5 }
          .sink { print($0) }
        // Prints 9, 1
        cancellable.cancel()
      },
      Example("prefix(while:)") { print in
        let cancellable = (1...).publisher
          .prefix { $0 * $0 < 20 }
          .sink { print($0) }
        // Prints 1, 2, 3, 4
        cancellable.cancel()
      },
      Example("collect(_:)") { print in
        let cancellable = (1...5).publisher
          .collect(2)
          .sink { print($0) }
        // Prints [1, 2], [3, 4], [5]
        cancellable.cancel()
      },
      Example("first") { print in
        let cancellable = ["a", "b"].publisher
          .first()
          .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
        // Prints a, finished
        cancellable.cancel()
      },
      Example("removeDuplicates") { print in
        let cancellable = [1, 1, 2, 2, 1].publisher
          .removeDuplicates()
          .sink { print($0) }
        // Prints 1, 2, 1
        cancellable.cancel()
      },
      Example("dropFirst") { print in
        let cancellable = [1, 2, 3].publisher
          .dropFirst()
          .sink { print($0) }
        // Prints 2, 3
        cancellable.cancel()
      },
      Example("prefix") { print in
        let cancellable = (1...).publisher
          .prefix(3)
          .sink { print($0) }
        // Prints 1, 2, 3
        cancellable.cancel()
      },
      Example("collect") { print in
        let cancellable = [1, 2, 3].publisher
          .collect()
          .sink { print($0) }
        // Prints [1, 2, 3]
        cancellable.cancel()
      },
      Example("reduce") { print in
        let cancellable = [1, 2, 3].publisher
          .reduce(0) { sum, number in sum + number }
          .sink { print($0) }
        // Prints 6
        cancellable.cancel()
      },
    ]
  }

  private static var joining: [Example] {
    [
      Example("merge") { print in
        let letters = PassthroughSubject<String, Never>()
        let digits = PassthroughSubject<String, Never>()
        let cancellable = letters.merge(with: digits).sink { print($0) }
        letters.send("a")  // Prints a
        digits.send("1")  // Prints 1
        cancellable.cancel()
      },
      Example("combineLatest") { print in
        let width = CurrentValueSubject<Int, Never>(2)
        let height = PassthroughSubject<Int, Never>()
        let cancellable = width.combineLatest(height).sink { print($0 * $1) }
        height.send(5)  // Prints 10
        width.send(3)  // Prints 15
        cancellable.cancel()
      },
      Example("zip") { print in
        let cancellable = [1, 2, 3].publisher
          .zip(["a", "b"].publisher)
          .sink { print("\($0)\($1)") }
        // Prints 1a, 2b
        cancellable.cancel()
      },
      Example("append") { print in
        let cancellable = [1, 2].publisher
          .append([3].publisher)
          .sink { print($0) }
        // Prints 1, 2, 3
        cancellable.cancel()
      },
      Example("prepend") { print in
        let cancellable = [2, 3].publisher
          .prepend(0, 1)
          .sink { print($0) }
        // Prints 0, 1, 2, 3
        cancellable.cancel()
      },
      Example("catch") { print in
        let cancellable = Fail<Int, URLError>(error: URLError(.timedOut))
          .catch { _ in [1, 2].publisher }
          .sink { print($0) }
        // Prints 1, 2
        cancellable.cancel()
      },
      Example("retry") { print in
        var attempts = 0
        let download = Deferred { () -> Result<String, URLError>.Publisher in
          attempts += 1
          return .init(attempts < 3 ? .failure(URLError(.timedOut)) : .success("photo"))
        }
        let cancellable = download.retry(2).replaceError(with: "none").sink { print($0) }
        // Prints photo
        cancellable.cancel()
      },
      Example("replaceError") { print in
        let cancellable = Fail<Int, URLError>(error: URLError(.timedOut))
          .replaceError(with: 0)
          .sink { print($0) }
        // Prints 0
        cancellable.cancel()
      },
      Example("share") { print in
        let source = PassthroughSubject<Int, Never>()
        let shared = source.handleEvents(receiveOutput: { _ in print("received") }).share()
        let first = shared.sink { print("first \($0)") }
        let second = shared.sink { print("second \($0)") }
        source.send(1)
        // Prints received, first 1, second 1
        first.cancel()
        second.cancel()
      },
    ]
  }

  private static var waiting: [Example] {
    [
      Example("debounce") { print in
        let scheduler = VirtualScheduler.virtual
        let words = PassthroughSubject<String, Never>()
        let cancellable = words.debounce(for: .milliseconds(300), scheduler: scheduler).sink { print($0) }
        words.send("s")
        words.send("sw")
        scheduler.advance(by: .milliseconds(300))  // Prints sw
        cancellable.cancel()
      },
      Example("delay") { print in
        let scheduler = VirtualScheduler.virtual
        let cancellable = Just("late")
          .delay(for: .seconds(2), scheduler: scheduler)
          .sink { print($0) }
        scheduler.advance(by: .seconds(1))
        print("early")
        scheduler.advance(by: .seconds(1))
        // Prints early, late
        cancellable.cancel()
      },
      Example("receive(on:)") { print in
        let scheduler = VirtualScheduler.virtual
        let cancellable = [1, 2].publisher
          .receive(on: scheduler)
          .sink { print($0) }
        print("subscribed")
        scheduler.advance()
        // Prints subscribed, 1, 2
        cancellable.cancel()
      },
    ]
  }
}
