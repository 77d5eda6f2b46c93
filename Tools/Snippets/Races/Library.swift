import Streams
import StreamsExtras

/// What a view shows, fed from another thread. Four of its transforms touch what belongs to the main actor.
@MainActor
final class Library {
  private var total = 0
  private var minimum = 2
  private var last = 0
  private var factor = 10
  private let names = ["a", "b"]
  private var subscriptions: Set<AnyCancellable> = []

  #if MendedOnActor
    func follow(_ numbers: PassthroughSubject<Int, Never>, _ show: @escaping @Sendable (Int) -> Void) {
      numbers.scan(0, +)
        .sink { show($0) }.store(in: &subscriptions)
      numbers.filter { [minimum] in $0 > minimum }
        .sink { show($0) }.store(in: &subscriptions)
      numbers.receive(on: MainActor.self)
        .handleEvents(receiveOutput: { number in MainActor.assumeIsolated { self.last = number } })
        .sink { show($0) }.store(in: &subscriptions)
      numbers.flatMap { Just(Library.multiple(of: $0)) }
        .sink { show($0) }.store(in: &subscriptions)
    }

    nonisolated static func multiple(of number: Int) -> Int { number * 10 }
  #else
    func follow(_ numbers: PassthroughSubject<Int, Never>, _ show: @escaping @Sendable (Int) -> Void) {
      numbers.map { number in
        self.total += number  // race
        return number
      }
      .sink { show($0) }.store(in: &subscriptions)
      numbers.filter { number in
        number > self.minimum  // race
      }
      .sink { show($0) }.store(in: &subscriptions)
      numbers.handleEvents(receiveOutput: { number in
        self.last = number  // race
      })
      .sink { show($0) }.store(in: &subscriptions)
      numbers.flatMap { number in
        Just(self.multiple(of: number))  // race
      }
      .sink { show($0) }.store(in: &subscriptions)
    }

    func multiple(of number: Int) -> Int { number * factor }
  #endif

  /// What the main actor does meanwhile.
  func change() {
    (total, minimum, last, factor) = (0, 1, last + 1, 20)
  }

  /// What right code looks like: none of it may be refused.
  func check(_ numbers: PassthroughSubject<Int, Never>, _ texts: PassthroughSubject<String, Never>) {
    let isLong = { @Sendable (text: String) in text.count > 3 }
    texts.filter(\.isEmpty).map(\.count).sink { _ in }.store(in: &subscriptions)
    texts.filter(isLong).compactMap(Int.init).sink { _ in }.store(in: &subscriptions)
    texts.map { [names] in names.contains($0) }.removeDuplicates().sink { _ in }.store(in: &subscriptions)
    numbers.map { $0 + 1 }.map(String.init).filter { $0 != "2" }.sink { _ in }.store(in: &subscriptions)
    numbers.scan(0, +).combineLatest(texts) { "\($0)\($1)" }.sink { _ in }.store(in: &subscriptions)
    numbers.tryMap { try positive($0) }.replaceError(with: 0).sink { _ in }.store(in: &subscriptions)
    numbers.map { number in [number].filter { $0 > 1 } }.sink { _ in }.store(in: &subscriptions)
    numbers.sink { self.total += $0 }.store(in: &subscriptions)
    sums(of: numbers).sink { _ in }.store(in: &subscriptions)
  }
}

struct Negative: Error {}
func positive(_ number: Int) throws -> Int { if number < 0 { throw Negative() } else { number } }

/// Without an actor, in generic code.
func sums<Numbers: Publisher<Int, Never>>(of numbers: Numbers) -> AnyPublisher<Int, Never> {
  numbers.scan(0) { $0 + $1 }.map { $0 * 2 }.eraseToAnyPublisher()
}

/// The fifth: what a closure shares with the code around it, without any actor.
func count(_ numbers: PassthroughSubject<Int, Never>, sending: () -> Void, isOver: () -> Bool) -> Int {
  #if MendedElsewhere
    let count = CurrentValueSubject<Int, Never>(0)
    let following = numbers.scan(0, +).subscribe(count)
    defer { following.cancel() }
    sending()
    while !isOver() {}
    return count.value
  #else
    var count = 0
    let following = numbers.map { number in count += number }.sink { _ in }  // race
    defer { following.cancel() }
    sending()
    while !isOver() { count += 1 }
    return count
  #endif
}
