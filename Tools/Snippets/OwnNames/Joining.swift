import Streams
import StreamsExtras

extension Publisher {
  func withLatestFrom<Other: Publisher, Result>(
    _ other: Other, resultSelector: @escaping (Output, Other.Output) -> Result
  ) -> Publishers.WithLatestFrom<Self, Other, Result> {
    note()
    return Publishers.WithLatestFrom(upstream: self, second: other, resultSelector: resultSelector)
  }

  func withLatestFrom<Other: Publisher>(
    _ other: Other
  ) -> Publishers.WithLatestFrom<Self, Other, Other.Output> {
    note()
    return Publishers.WithLatestFrom(upstream: self, second: other) { $1 }
  }

  func withLatestFrom<Other: Publisher, Other1: Publisher, Result>(
    _ other: Other, _ other1: Other1,
    resultSelector: @escaping (Output, (Other.Output, Other1.Output)) -> Result
  ) -> Empty<Result, Failure> where Other.Failure == Failure, Other1.Failure == Failure {
    note()
    return Empty()
  }

  func withLatestFrom<Other: Publisher, Other1: Publisher>(
    _ other: Other, _ other1: Other1
  ) -> Empty<(Other.Output, Other1.Output), Failure>
  where Other.Failure == Failure, Other1.Failure == Failure {
    note()
    return Empty()
  }

  func withLatestFrom<Other: Publisher, Other1: Publisher, Other2: Publisher, Result>(
    _ other: Other, _ other1: Other1, _ other2: Other2,
    resultSelector: @escaping (Output, (Other.Output, Other1.Output, Other2.Output)) -> Result
  ) -> Empty<Result, Failure>
  where Other.Failure == Failure, Other1.Failure == Failure, Other2.Failure == Failure {
    note()
    return Empty()
  }

  func withLatestFrom<Other: Publisher, Other1: Publisher, Other2: Publisher>(
    _ other: Other, _ other1: Other1, _ other2: Other2
  ) -> Empty<(Other.Output, Other1.Output, Other2.Output), Failure>
  where Other.Failure == Failure, Other1.Failure == Failure, Other2.Failure == Failure {
    note()
    return Empty()
  }

  func amb<Other: Publisher>(_ other: Other) -> Publishers.Amb<Self, Other>
  where Other.Output == Output, Other.Failure == Failure {
    note()
    return Publishers.Amb(first: self, second: other)
  }

  func amb<Other: Publisher>(with others: Other...) -> AnyPublisher<Output, Failure>
  where Other.Output == Output, Other.Failure == Failure {
    note()
    return eraseToAnyPublisher()
  }

  func amb<Others: Collection>(with others: Others) -> AnyPublisher<Output, Failure>
  where Others.Element: Publisher, Others.Element.Output == Output, Others.Element.Failure == Failure {
    note()
    return eraseToAnyPublisher()
  }

  func combineLatest<Others: Collection>(with others: Others) -> AnyPublisher<[Output], Failure>
  where Others.Element: Publisher, Others.Element.Output == Output, Others.Element.Failure == Failure {
    note()
    return Empty().eraseToAnyPublisher()
  }

  func combineLatest<Other: Publisher>(with others: Other...) -> AnyPublisher<[Output], Failure>
  where Other.Output == Output, Other.Failure == Failure {
    note()
    return Empty().eraseToAnyPublisher()
  }

  func zip<Others: Collection>(with others: Others) -> AnyPublisher<[Output], Failure>
  where Others.Element: Publisher, Others.Element.Output == Output, Others.Element.Failure == Failure {
    note()
    return Empty().eraseToAnyPublisher()
  }

  func zip<Other: Publisher>(with others: Other...) -> AnyPublisher<[Output], Failure>
  where Other.Output == Output, Other.Failure == Failure {
    note()
    return Empty().eraseToAnyPublisher()
  }

  func merge<Others: Collection>(with others: Others) -> AnyPublisher<Output, Failure>
  where Others.Element: Publisher, Others.Element.Output == Output, Others.Element.Failure == Failure {
    note()
    return eraseToAnyPublisher()
  }

  func flatMapLatest<P: Publisher>(
    _ transform: @escaping (Output) -> P
  ) -> Publishers.SwitchToLatest<P, Publishers.Map<Self, P>> {
    note()
    return map(transform).switchToLatest()
  }

  func flatMapFirst<P: Publisher>(_ transform: @escaping (Output) -> P) -> Publishers.FlatMap<P, Self>
  where P.Failure == Failure {
    note()
    return flatMap(maxPublishers: .max(1), transform)
  }

  func concatMap<P: Publisher>(_ transform: @escaping (Output) -> P) -> Publishers.FlatMap<P, Self>
  where P.Failure == Failure {
    note()
    return flatMap(maxPublishers: .max(1), transform)
  }

  func share(replay: Int) -> AnyPublisher<Output, Failure> {
    note()
    return eraseToAnyPublisher()
  }
}

extension Collection where Element: Publisher {
  func amb() -> AnyPublisher<Element.Output, Element.Failure> {
    note()
    return Empty().eraseToAnyPublisher()
  }

  func combineLatest() -> AnyPublisher<[Element.Output], Element.Failure> {
    note()
    return Empty().eraseToAnyPublisher()
  }

  func zip() -> AnyPublisher<[Element.Output], Element.Failure> {
    note()
    return Empty().eraseToAnyPublisher()
  }

  func merge() -> AnyPublisher<Element.Output, Element.Failure> {
    note()
    return Empty().eraseToAnyPublisher()
  }

  func flatMapBatches(of size: Int) -> AnyPublisher<[Element.Output], Element.Failure> {
    note()
    return Empty().eraseToAnyPublisher()
  }
}

func joining() {
  let (a, b, c, d) = (
    PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>(),
    PassthroughSubject<Int, Never>()
  )
  show("with latest") {
    _ = a.withLatestFrom(b)
    _ = a.withLatestFrom(b) { $0 + $1 }
    _ = a.withLatestFrom(b, resultSelector: +)
    _ = a.withLatestFrom(b, c)
    _ = a.withLatestFrom(b, c) { $0 + $1.0 }
    _ = a.withLatestFrom(b, c, d).sink { _ in }
    _ = a.withLatestFrom(b, c, d) { (value: Int, others: (Int, Int, Int)) -> String in
      let sum = value + others.0
      return "\(sum)"
    }
  }
  show("joining") {
    let _: Publishers.Amb<PassthroughSubject<Int, Never>, PassthroughSubject<Int, Never>> = a.amb(b)
    _ = a.amb(with: b, c)
    _ = a.amb(with: [b, c])
    _ = [a, b].amb()
    _ = a.combineLatest(with: b, c)
    _ = a.combineLatest(with: [b, c])
    _ = [a, b].combineLatest()
    _ = a.zip(with: b, c)
    _ = a.zip(with: [b, c])
    _ = [a, b].zip()
    _ = a.merge(with: [b, c])
    _ = [a, b].merge()
  }
  show("flattening") {
    _ = a.flatMapLatest { Just($0) }.sink { _ in }
    _ = a.flatMapFirst { Just($0) }
    _ = a.concatMap { Just($0) }
    _ = [a, b].flatMapBatches(of: 2)
    _ = a.share(replay: 1)
  }
}
