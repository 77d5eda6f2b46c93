import Streams
import StreamsExtras
import StreamsFoundation
import StreamsTesting

extension Publisher {
  func asyncMap<T>(_ transform: @escaping (Output) async -> T) -> Empty<T, Failure> {
    note()
    return Empty()
  }

  func tryAsyncMap<T>(_ transform: @escaping (Output) async throws -> T) -> Empty<T, any Error> {
    note()
    return Empty()
  }

  func debug(_ prefix: String = "", file: String = #fileID) -> Self {
    note()
    return self
  }

  func retry<S: Scheduler>(
    _ retries: Int, delay: S.SchedulerTimeType.Stride, scheduler: S
  ) -> Self {
    note()
    return self
  }

  func scan<T>(into initial: T, _ next: @escaping (inout T, Output) -> Void) -> Empty<T, Failure> {
    note()
    return Empty()
  }

  func withUnretained<Owner: AnyObject>(_ owner: Owner) -> Empty<(Owner, Output), Failure> {
    note()
    return Empty()
  }

  func suffix(_ count: Int) -> Self {
    note()
    return self
  }

  func removeDuplicates<Value: Equatable>(at keyPath: KeyPath<Output, Value>) -> Self {
    note()
    return self
  }

  func switchIfEmpty<P: Publisher>(to other: P) -> Self where P.Output == Output, P.Failure == Failure {
    note()
    return self
  }

  func sinkOnMain(receiveValue: @escaping @MainActor (Output) -> Void) -> AnyCancellable {
    note()
    return AnyCancellable {}
  }

  func receive(on actor: MainActor.Type) -> Self {
    note()
    return self
  }

  func zip<B: Publisher, C: Publisher, D: Publisher, E: Publisher>(
    _ b: B, _ c: C, _ d: D, _ e: E
  ) -> Empty<(Output, B.Output, C.Output, D.Output, E.Output), Failure>
  where B.Failure == Failure, C.Failure == Failure, D.Failure == Failure, E.Failure == Failure {
    note()
    return Empty()
  }

  func record() -> String {
    note()
    return ""
  }

  func blocking() -> String {
    note()
    return ""
  }

  var chainDescription: String {
    note()
    return ""
  }

  /// What the library has with typed throws yields as well.
  func tryMap<T>(_ transform: @escaping (Output) throws(Fault) -> T) -> Empty<T, Fault>
  where Failure == Never {
    note()
    return Empty()
  }
}

struct Fault: Error {}

func others() {
  final class Owner {}
  let (a, owner) = (PassthroughSubject<Int, Never>(), Owner())
  show("others") {
    _ = a.asyncMap { $0 }
    _ = a.tryAsyncMap { $0 }
    _ = a.debug()
    _ = a.debug("x")
    _ = a.retry(3, delay: .init(1), scheduler: ImmediateScheduler.shared)
    _ = a.scan(into: []) { $0.append($1) }
    _ = a.withUnretained(owner)
    _ = a.suffix(1)
    _ = a.removeDuplicates(at: \.bitWidth)
    _ = a.switchIfEmpty(to: Just(1))
    _ = a.sinkOnMain { _ in }
    _ = a.receive(on: MainActor.self)
    _ = a.zip(a, a, a, a)
    _ = (a.record(), a.blocking(), a.chainDescription)
    let _: Empty<Int, Fault> = a.tryMap { (value) throws(Fault) in value }
  }
}
