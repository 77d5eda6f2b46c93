import Streams
import StreamsExtras

extension Publisher {
  func materialize() -> Publishers.Materialize<Self> {
    note()
    return Publishers.Materialize(upstream: self)
  }

  func partition(
    _ predicate: @escaping (Output) -> Bool
  ) -> (matches: AnyPublisher<Output, Failure>, nonMatches: AnyPublisher<Output, Failure>) {
    note()
    return (eraseToAnyPublisher(), eraseToAnyPublisher())
  }

  func prefix<S: Scheduler>(
    duration: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil, on scheduler: S,
    options: S.SchedulerOptions? = nil
  ) -> AnyPublisher<Output, Failure> {
    note()
    return eraseToAnyPublisher()
  }

  func prefix(
    while predicate: @escaping (Output) -> Bool, behavior: PrefixWhileBehavior
  ) -> AnyPublisher<Output, Failure> {
    note()
    return eraseToAnyPublisher()
  }

  func removeAllDuplicates(by comparator: @escaping (Output, Output) -> Bool) -> Publishers.Filter<Self> {
    note()
    return filter { _ in true }
  }

  func retryWhen<Trigger: Publisher>(
    _ errorTrigger: @escaping (AnyPublisher<Failure, Never>) -> Trigger
  ) -> Publishers.RetryWhen<Self, Trigger, Output, Failure> {
    note()
    return Publishers.RetryWhen(upstream: self, errorTrigger: errorTrigger)
  }

  func nwise(_ size: Int) -> AnyPublisher<[Output], Failure> {
    note()
    return Empty().eraseToAnyPublisher()
  }

  func pairwise() -> AnyPublisher<(Output, Output), Failure> {
    note()
    return Empty().eraseToAnyPublisher()
  }

  func enumerated(initial: Int = 0) -> Publishers.Enumerated<Self> {
    note()
    return Publishers.Enumerated(initial: initial, upstream: self)
  }

  func mapToResult() -> AnyPublisher<Result<Output, Failure>, Never> {
    note()
    return Empty().eraseToAnyPublisher()
  }

  func mapToValue<Value>(_ value: Value) -> Publishers.Map<Self, Value> {
    note()
    return map { _ in value }
  }

  func mapToVoid() -> Publishers.Map<Self, Void> {
    note()
    return map { _ in }
  }

  func ignoreOutput<NewOutput>(
    setOutputType newOutputType: NewOutput.Type
  ) -> Publishers.Map<Publishers.IgnoreOutput<Self>, NewOutput> {
    note()
    return ignoreOutput().setOutputType(to: newOutputType)
  }

  func ignoreFailure(completeImmediately: Bool = true) -> AnyPublisher<Output, Never> {
    note()
    return Empty().eraseToAnyPublisher()
  }

  func ignoreFailure<NewFailure: Error>(
    setFailureType newFailureType: NewFailure.Type, completeImmediately: Bool = true
  ) -> AnyPublisher<Output, NewFailure> {
    note()
    return Empty().eraseToAnyPublisher()
  }
}

extension Publisher where Output: EventConvertible, Failure == Never {
  func dematerialize() -> Publishers.Dematerialize<Self> {
    note()
    return Publishers.Dematerialize(upstream: self)
  }

  func values() -> AnyPublisher<Output.Output, Never> {
    note()
    return Empty().eraseToAnyPublisher()
  }

  func failures() -> AnyPublisher<Output.Failure, Never> {
    note()
    return Empty().eraseToAnyPublisher()
  }
}

extension Publisher where Output: Equatable {
  func removeAllDuplicates() -> Publishers.Filter<Self> {
    note("removeAllDuplicates(), by equality")
    return filter { _ in true }
  }
}

extension Publisher where Output: Hashable {
  func removeAllDuplicates() -> Publishers.Filter<Self> {
    note()
    return filter { _ in true }
  }
}

extension Publisher where Output: Collection {
  func mapMany<Result>(
    _ transform: @escaping (Output.Element) -> Result
  ) -> Publishers.Map<Self, [Result]> {
    note()
    return map { $0.map(transform) }
  }

  func filterMany(_ isIncluded: @escaping (Output.Element) -> Bool) -> Publishers.Map<Self, [Output.Element]>
  {
    note()
    return map { $0.filter(isIncluded) }
  }
}

extension Publisher where Output == Bool {
  func toggle() -> Publishers.Map<Self, Bool> {
    note()
    return map(!)
  }
}

extension Publisher where Output == Never {
  func setOutputType<NewOutput>(to outputType: NewOutput.Type) -> Publishers.Map<Self, NewOutput> {
    note()
    return map { _ -> NewOutput in }
  }
}

func shaping() {
  struct Fault: Error {}
  let (a, never) = (PassthroughSubject<Int, Fault>(), PassthroughSubject<Int, Never>())
  show("events") {
    let events = a.materialize()
    _ = events.dematerialize()
    _ = events.values()
    _ = events.failures()
  }
  show("failures") {
    _ = a.retryWhen { $0 }
    _ = a.mapToResult()
    _ = a.ignoreFailure()
    _ = a.ignoreFailure(completeImmediately: false)
    _ = a.ignoreFailure(setFailureType: (any Error).self)
  }
  show("shaping") {
    _ = never.partition { $0 > 1 }
    _ = never.prefix(duration: .init(1), on: ImmediateScheduler.shared)
    _ = never.prefix(while: { $0 > 1 }, behavior: .inclusive)
    _ = never.removeAllDuplicates()
    _ = never.map { Double($0) as any Equatable }.map { "\($0)"[...] }.removeAllDuplicates(by: ==)
    _ = never.nwise(2)
    _ = never.pairwise()
    _ = never.enumerated()
    _ = never.enumerated(initial: 1)
  }
  show("mapping") {
    _ = never.mapToValue("x")
    _ = never.mapToVoid()
    _ = never.map { [$0] }.mapMany { $0 + 1 }
    _ = never.map { [$0] }.filterMany { $0 > 1 }
    _ = never.map { $0 > 1 }.toggle()
    _ = never.ignoreOutput().setOutputType(to: String.self)
    _ = never.ignoreOutput(setOutputType: String.self)
  }
}
