import Streams

extension Example {
  static var sources: [Example] {
    [
      Example("Just") { print in
        let cancellable = Just("hello")
          .map { $0.uppercased() }
          .sink { print($0) }
        // Prints HELLO
        cancellable.cancel()
      },
      Example("Future") { print in
        let answer = Future<Int, Never> { promise in promise(.success(42)) }
        let cancellable = answer.sink { print($0) }
        // Prints 42
        cancellable.cancel()
      },
      Example("Deferred") { print in
        var subscriptions = 0
        let numbered = Deferred { () -> Just<Int> in
          subscriptions += 1
          return Just(subscriptions)
        }
        let first = numbered.sink { print($0) }  // Prints 1
        let second = numbered.sink { print($0) }  // Prints 2
        first.cancel()
        second.cancel()
      },
      Example("publisher") { print in
        let cancellable = ["a", "b"].publisher.sink(
          receiveCompletion: { print($0) },
          receiveValue: { print($0) })
        // Prints a, b, finished
        cancellable.cancel()
      },
      Example("PassthroughSubject") { print in
        let taps = PassthroughSubject<String, Never>()
        taps.send("lost")
        let cancellable = taps.sink { print($0) }
        taps.send("seen")  // Prints seen
        cancellable.cancel()
      },
      Example("CurrentValueSubject") { print in
        let count = CurrentValueSubject<Int, Never>(0)
        let cancellable = count.sink { print($0) }  // Prints 0
        count.send(1)  // Prints 1
        count.value += 1  // Prints 2
        cancellable.cancel()
      },
      Example("Published") { print in
        final class Album { @Published var photos = 0 }
        let album = Album()
        let cancellable = album.$photos.sink { print($0) }  // Prints 0
        album.photos = 1  // Prints 1
        cancellable.cancel()
      },
    ]
  }

  static var terminals: [Example] {
    [
      Example("sink") { print in
        let cancellable = [1, 2].publisher.sink(
          receiveCompletion: { completion in print("completed: \(completion)") },
          receiveValue: { value in print(value) })
        // Prints 1, 2, completed: finished
        cancellable.cancel()
      },
      Example("assign") { print in
        final class Label { var text = "" }
        let label = Label()
        let cancellable = Just("Hello").assign(to: \.text, on: label)
        print(label.text)
        // Prints Hello
        cancellable.cancel()
      },
      Example("store") { print in
        var cancellables: Set<AnyCancellable> = []
        let numbers = PassthroughSubject<Int, Never>()
        numbers.sink { print($0) }.store(in: &cancellables)
        numbers.send(1)  // Prints 1
        cancellables.removeAll()
        numbers.send(2)  // The subscription is cancelled.
      },
      Example("values") { print in
        for await number in [1, 2, 3].publisher.values {
          print(number)
        }
        // Prints 1, 2, 3
      },
      Example("print") { _ in
        let cancellable = [1].publisher.print("numbers").sink { _ in }
        // Prints:
        // numbers: receive subscription: ([1])
        // numbers: request unlimited
        // numbers: receive value: (1)
        // numbers: receive finished
        cancellable.cancel()
      },
      Example("handleEvents") { print in
        let cancellable = [1, 2].publisher
          .handleEvents(receiveOutput: { print("value \($0)") }, receiveCompletion: { print($0) })
          .collect()
          .sink { print($0) }
        // Prints value 1, value 2, finished, [1, 2]
        cancellable.cancel()
      },
      Example("eraseToAnyPublisher") { print in
        func evens(upTo limit: Int) -> AnyPublisher<Int, Never> {
          (0...limit).publisher
            .filter { $0.isMultiple(of: 2) }
            .eraseToAnyPublisher()
        }
        let cancellable = evens(upTo: 4).sink { print($0) }
        // Prints 0, 2, 4
        cancellable.cancel()
      },
    ]
  }
}
