import Streams

enum SourcesUses<T, E: Error>: Family {
  static var types: [Use] {
    Use("Just", publishes(Just<T>.self, T.self, Never.self))
    Use("Empty", publishes(Empty<T, E>.self, T.self, E.self))
    Use("Fail", publishes(Fail<T, E>.self, T.self, E.self))
    Use("Future", publishes(Future<T, E>.self, T.self, E.self))
    Use("Record", publishes(Record<T, E>.self, T.self, E.self))
    Use("Record.Recording", Record<T, E>.Recording.self)
    Use("Optional.Publisher", publishes(Optional<T>.Publisher.self, T.self, Never.self))
    Use("Result.Publisher", publishes(Result<T, E>.Publisher.self, T.self, E.self))
  }

  static var members: [Use] {
    Use("Just.Failure", Just<T>.Failure.self as Never.Type)
    Use("Just.output", \.output as KeyPath<Just<T>, T>)
    Use("Just.init(_:)", Just<T>.init(_:) as (T) -> Just<T>)
    Use(
      "Empty.init(completeImmediately:)", Empty<T, E>.init(completeImmediately:) as (Bool) -> Empty<T, E>,
      defaults: { Empty<T, E>() })
    Use(
      "Empty.init(completeImmediately:outputType:failureType:)",
      Empty<T, E>.init(completeImmediately:outputType:failureType:) as (Bool, T.Type, E.Type) -> Empty<T, E>,
      defaults: { Empty(outputType: T.self, failureType: E.self) })
    Use("Empty.completeImmediately", \.completeImmediately as KeyPath<Empty<T, E>, Bool>)
    Use("Empty.==", equates(Empty<T, E>.self))
    Use("Fail.init(error:)", Fail<T, E>.init(error:) as (E) -> Fail<T, E>)
    Use(
      "Fail.init(outputType:failure:)", Fail<T, E>.init(outputType:failure:) as (T.Type, E) -> Fail<T, E>)
    Use("Fail.error", \.error as KeyPath<Fail<T, E>, E>)
    Use(
      "Future.Promise", { (promise: Future<T, E>.Promise, result: Result<T, E>) in promise(result) })
    Use(
      "Future.init(_:)", { (output: T) in Future<T, E> { promise in promise(.success(output)) } })
    Use("Future.value", { (future: Future<T, E>) async throws -> T in try await future.value })
    Use("Future.value that never fails", { (future: Future<T, Never>) async -> T in await future.value })
    Use("Record.recording", \.recording as KeyPath<Record<T, E>, Record<T, E>.Recording>)
    Use(
      "Record.init(record:)",
      Record<T, E>.init(record:) as ((inout Record<T, E>.Recording) -> Void) -> Record<T, E>)
    Use(
      "Record.init(recording:)",
      Record<T, E>.init(recording:) as (Record<T, E>.Recording) -> Record<T, E>)
    Use(
      "Record.init(output:completion:)",
      Record<T, E>.init(output:completion:) as ([T], Subscribers.Completion<E>) -> Record<T, E>)
    Use("Record.Recording.Input", Record<T, E>.Recording.Input.self as T.Type)
    Use("Record.Recording.output", \.output as KeyPath<Record<T, E>.Recording, [T]>)
    Use(
      "Record.Recording.completion",
      \.completion as KeyPath<Record<T, E>.Recording, Subscribers.Completion<E>>)
    Use("Record.Recording.init()", Record<T, E>.Recording.init as () -> Record<T, E>.Recording)
    Use(
      "Record.Recording.init(output:completion:)",
      Record<T, E>.Recording.init(output:completion:)
        as ([T], Subscribers.Completion<E>) -> Record<T, E>.Recording,
      defaults: { (output: [T]) in Record<T, E>.Recording(output: output) })
    Use(
      "Record.Recording.receive(_:)",
      { (recording: inout Record<T, E>.Recording, input: T) -> Void in recording.receive(input) })
    Use(
      "Record.Recording.receive(completion:)",
      { (recording: inout Record<T, E>.Recording, completion: Subscribers.Completion<E>) -> Void in
        recording.receive(completion: completion)
      })
    Use("Optional.publisher", \.publisher as KeyPath<T?, Optional<T>.Publisher>)
    Use("Optional.Publisher.Output", Optional<T>.Publisher.Output.self as T.Type)
    Use("Optional.Publisher.Failure", Optional<T>.Publisher.Failure.self as Never.Type)
    Use("Optional.Publisher.output", \.output as KeyPath<Optional<T>.Publisher, T?>)
    Use("Optional.Publisher.init(_:)", Optional<T>.Publisher.init(_:) as (T?) -> Optional<T>.Publisher)
    Use("Result.publisher", \.publisher as KeyPath<Result<T, E>, Result<T, E>.Publisher>)
    Use("Result.Publisher.Output", Result<T, E>.Publisher.Output.self as T.Type)
    Use("Result.Publisher.result", \.result as KeyPath<Result<T, E>.Publisher, Result<T, E>>)
    Use(
      "Result.Publisher.init(_:) of a result",
      Result<T, E>.Publisher.init(_:) as (Result<T, E>) -> Result<T, E>.Publisher)
    Use(
      "Result.Publisher.init(_:) of a value",
      Result<T, E>.Publisher.init(_:) as (T) -> Result<T, E>.Publisher)
    Use(
      "Result.Publisher.init(_:) of a failure",
      Result<T, E>.Publisher.init(_:) as (E) -> Result<T, E>.Publisher)
  }
}

enum EquatableSourcesUses<T: Equatable & SendableMetatype, E: Error & Equatable>: Family {
  static var members: [Use] {
    Use("Just.==", equates(Just<T>.self))
    Use("Fail.==", equates(Fail<T, E>.self))
    Use("Optional.Publisher.==", equates(Optional<T>.Publisher.self))
    Use("Result.Publisher.==", equates(Result<T, E>.Publisher.self))
  }
}

enum CodableSourcesUses<T: Codable & SendableMetatype, E: Error & Codable>: Family {
  static var members: [Use] {
    Use("Record.encode(to:)", Record<T, E>.encode(to:) as (Record<T, E>) -> (any Encoder) throws -> Void)
    Use("Record.init(from:)", Record<T, E>.init(from:) as (any Decoder) throws -> Record<T, E>)
    Use(
      "Record.Recording.encode(to:)",
      Record<T, E>.Recording.encode(to:) as (Record<T, E>.Recording) -> (any Encoder) throws -> Void)
    Use(
      "Record.Recording.encode(into:)",
      Record<T, E>.Recording.encode(into:) as (Record<T, E>.Recording) -> (any Encoder) throws -> Void)
    Use(
      "Record.Recording.init(from:)",
      Record<T, E>.Recording.init(from:) as (any Decoder) throws -> Record<T, E>.Recording)
  }
}

enum DeferredSourcesUses<P: Publisher & SendableMetatype>: Family {
  static var types: [Use] {
    Use("Deferred", publishes(Deferred<P>.self, P.Output.self, P.Failure.self))
  }

  static var members: [Use] {
    Use("Deferred.createPublisher", \.createPublisher as KeyPath<Deferred<P>, () -> P>)
    Use(
      "Deferred.init(createPublisher:)",
      Deferred<P>.init(createPublisher:) as (@escaping () -> P) -> Deferred<P>)
  }
}

enum SequenceSourcesUses<S: Sequence & SendableMetatype, E: Error>: Family {
  static var types: [Use] {
    Use("Publishers.Sequence", publishes(Publishers.Sequence<S, E>.self, S.Element.self, E.self))
  }

  static var members: [Use] {
    Use("Sequence.publisher", \.publisher as KeyPath<S, Publishers.Sequence<S, Never>>)
    Use("Publishers.Sequence.Output", Publishers.Sequence<S, E>.Output.self as S.Element.Type)
    Use("Publishers.Sequence.sequence", \.sequence as KeyPath<Publishers.Sequence<S, E>, S>)
    Use(
      "Publishers.Sequence.init(sequence:)",
      Publishers.Sequence<S, E>.init(sequence:) as (S) -> Publishers.Sequence<S, E>)
  }
}
