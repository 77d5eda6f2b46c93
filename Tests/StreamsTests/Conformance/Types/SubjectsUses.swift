import Streams

enum SubjectsUses<T, E: Error, S: Subscriber & SendableMetatype, M: Subject & SendableMetatype>: Family
where S.Input == T, S.Failure == E {
  static var types: [Use] {
    Use("Subject", { (subject: M) in subject as any Subject<M.Output, M.Failure> & AnyObject })
    Use("PassthroughSubject", publishes(PassthroughSubject<T, E>.self, T.self, E.self))
    Use("CurrentValueSubject", publishes(CurrentValueSubject<T, E>.self, T.self, E.self))
  }

  static var members: [Use] {
    Use("Subject.send(_:)", M.send(_:) as (M) -> (M.Output) -> Void)
    Use(
      "Subject.send(completion:)", M.send(completion:) as (M) -> (Subscribers.Completion<M.Failure>) -> Void)
    Use("Subject.send(subscription:)", M.send(subscription:) as (M) -> (any Subscription) -> Void)
    Use("PassthroughSubject.init()", PassthroughSubject<T, E>.init as () -> PassthroughSubject<T, E>)
    Use(
      "PassthroughSubject.send(subscription:)",
      PassthroughSubject<T, E>.send(subscription:)
        as (PassthroughSubject<T, E>) -> (any Subscription) -> Void)
    Use(
      "PassthroughSubject.receive(subscriber:)",
      PassthroughSubject<T, E>.receive(subscriber:) as (PassthroughSubject<T, E>) -> (S) -> Void)
    Use(
      "PassthroughSubject.send(_:)",
      PassthroughSubject<T, E>.send(_:) as (PassthroughSubject<T, E>) -> (T) -> Void)
    Use(
      "PassthroughSubject.send(completion:)",
      PassthroughSubject<T, E>.send(completion:)
        as (PassthroughSubject<T, E>) -> (Subscribers.Completion<E>) -> Void)
    Use(
      "CurrentValueSubject.value", \.value as ReferenceWritableKeyPath<CurrentValueSubject<T, E>, T>)
    Use(
      "CurrentValueSubject.init(_:)",
      CurrentValueSubject<T, E>.init(_:) as (T) -> CurrentValueSubject<T, E>)
    Use(
      "CurrentValueSubject.send(subscription:)",
      CurrentValueSubject<T, E>.send(subscription:)
        as (CurrentValueSubject<T, E>) -> (any Subscription) -> Void)
    Use(
      "CurrentValueSubject.send(_:)",
      CurrentValueSubject<T, E>.send(_:) as (CurrentValueSubject<T, E>) -> (T) -> Void)
    Use(
      "CurrentValueSubject.send(completion:)",
      CurrentValueSubject<T, E>.send(completion:)
        as (CurrentValueSubject<T, E>) -> (Subscribers.Completion<E>) -> Void)
  }
}

enum VoidSubjectsUses<M: Subject & SendableMetatype>: Family where M.Output == Void {
  static var members: [Use] {
    Use("Subject.send()", M.send as (M) -> () -> Void)
  }
}

enum ObservingUses<T, O: ObservableObject & SendableMetatype, Plain: ObservableObject & SendableMetatype>:
  Family
where Plain.ObjectWillChangePublisher == ObservableObjectPublisher {
  private final class Holder {
    @Published var value: T
    init(_ value: T) { _value = Published(wrappedValue: value) }
  }

  static var types: [Use] {
    Use("Published", { (value: T) in Holder(value) })
    Use("Published.Publisher", publishes(Published<T>.Publisher.self, T.self, Never.self))
    Use("ObservableObject", { (object: O) in object as any ObservableObject & AnyObject })
    Use("ObservableObjectPublisher", publishes(ObservableObjectPublisher.self, Void.self, Never.self))
  }

  static var members: [Use] {
    Use("Published.init(wrappedValue:)", Published<T>.init(wrappedValue:) as (T) -> Published<T>)
    Use("Published.init(initialValue:)", Published<T>.init(initialValue:) as (T) -> Published<T>)
    Use("Published.wrappedValue", \.value as ReferenceWritableKeyPath<Holder, T>)
    Use(
      "Published.subscript(_enclosingInstance:wrapped:storage:)",
      {
        (
          holder: Holder, wrapped: ReferenceWritableKeyPath<Holder, T>,
          storage: ReferenceWritableKeyPath<Holder, Published<T>>
        ) -> T in
        Published<T>[_enclosingInstance: holder, wrapped: wrapped, storage: storage]
      })
    Use(
      "Published.projectedValue",
      { (published: inout Published<T>, publisher: Published<T>.Publisher) -> Published<T>.Publisher in
        published.projectedValue = publisher
        return published.projectedValue
      })
    Use("Published.Publisher.Output", Published<T>.Publisher.Output.self as T.Type)
    Use("Published.Publisher.Failure", Published<T>.Publisher.Failure.self as Never.Type)
    Use(
      "ObservableObject.ObjectWillChangePublisher",
      publishes(O.ObjectWillChangePublisher.self, O.ObjectWillChangePublisher.Output.self, Never.self))
    Use("ObservableObject.objectWillChange", \.objectWillChange as KeyPath<O, O.ObjectWillChangePublisher>)
    Use("ObservableObjectPublisher.Output", ObservableObjectPublisher.Output.self as Void.Type)
    Use("ObservableObjectPublisher.Failure", ObservableObjectPublisher.Failure.self as Never.Type)
    Use(
      "ObservableObjectPublisher.init()", ObservableObjectPublisher.init as () -> ObservableObjectPublisher)
    Use(
      "ObservableObjectPublisher.send()",
      ObservableObjectPublisher.send as (ObservableObjectPublisher) -> () -> Void)
    Use(
      "ObservableObject.objectWillChange by default",
      \.objectWillChange as KeyPath<Plain, ObservableObjectPublisher>)
  }
}
