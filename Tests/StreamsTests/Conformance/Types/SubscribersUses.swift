import Streams

enum SinkingUses<T, E: Error, Root>: Family {
  typealias Sink = Subscribers.Sink<T, E>
  typealias Assign = Subscribers.Assign<Root, T>

  static var types: [Use] {
    Use("Subscribers.Sink", (subscribes(Sink.self, T.self, E.self), describes(Sink.self)))
    Use("Subscribers.Assign", (subscribes(Assign.self, T.self, Never.self), describes(Assign.self)))
  }

  static var members: [Use] {
    Use("Subscribers.Sink.receiveValue", \.receiveValue as KeyPath<Sink, (T) -> Void>)
    Use(
      "Subscribers.Sink.receiveCompletion",
      \.receiveCompletion as KeyPath<Sink, (Subscribers.Completion<E>) -> Void>)
    Use("Subscribers.Sink.description", \.description as KeyPath<Sink, String>)
    Use("Subscribers.Sink.customMirror", \.customMirror as KeyPath<Sink, Mirror>)
    Use("Subscribers.Sink.playgroundDescription", \.playgroundDescription as KeyPath<Sink, Any>)
    Use(
      "Subscribers.Sink.init(receiveCompletion:receiveValue:)",
      Sink.init(receiveCompletion:receiveValue:)
        as (@escaping (Subscribers.Completion<E>) -> Void, @escaping (T) -> Void) -> Sink)
    Use(
      "Subscribers.Sink.receive(subscription:)",
      Sink.receive(subscription:) as (Sink) -> (any Subscription) -> Void)
    Use("Subscribers.Sink.receive(_:)", Sink.receive(_:) as (Sink) -> (T) -> Subscribers.Demand)
    Use(
      "Subscribers.Sink.receive(completion:)",
      Sink.receive(completion:) as (Sink) -> (Subscribers.Completion<E>) -> Void)
    Use("Subscribers.Sink.cancel()", Sink.cancel as (Sink) -> () -> Void)
    Use("Subscribers.Assign.Failure", Assign.Failure.self as Never.Type)
    Use("Subscribers.Assign.object", \.object as KeyPath<Assign, Root?>)
    Use("Subscribers.Assign.keyPath", \.keyPath as KeyPath<Assign, ReferenceWritableKeyPath<Root, T>>)
    Use("Subscribers.Assign.description", \.description as KeyPath<Assign, String>)
    Use("Subscribers.Assign.customMirror", \.customMirror as KeyPath<Assign, Mirror>)
    Use("Subscribers.Assign.playgroundDescription", \.playgroundDescription as KeyPath<Assign, Any>)
    Use(
      "Subscribers.Assign.init(object:keyPath:)",
      Assign.init(object:keyPath:) as (Root, ReferenceWritableKeyPath<Root, T>) -> Assign)
    Use(
      "Subscribers.Assign.receive(subscription:)",
      Assign.receive(subscription:) as (Assign) -> (any Subscription) -> Void)
    Use("Subscribers.Assign.receive(_:)", Assign.receive(_:) as (Assign) -> (T) -> Subscribers.Demand)
    Use(
      "Subscribers.Assign.receive(completion:)",
      Assign.receive(completion:) as (Assign) -> (Subscribers.Completion<Never>) -> Void)
    Use("Subscribers.Assign.cancel()", Assign.cancel as (Assign) -> () -> Void)
  }
}

enum CompletingUses<E: Error, Hash: Error & Hashable, Code: Error & Codable>: Family {
  static var types: [Use] {
    Use("Subscribers.Completion", Subscribers.Completion<E>.self)
  }

  static var members: [Use] {
    Use("Subscribers.Completion.finished", Subscribers.Completion<E>.finished)
    Use(
      "Subscribers.Completion.failure",
      Subscribers.Completion<E>.failure as (E) -> Subscribers.Completion<E>)
    Use("Subscribers.Completion.==", equates(Subscribers.Completion<Hash>.self))
    Use("Subscribers.Completion.hash(into:)", hashes(Subscribers.Completion<Hash>.self))
    Use("Subscribers.Completion.hashValue", \.hashValue as KeyPath<Subscribers.Completion<Hash>, Int>)
    Use("Subscribers.Completion.encode(to:)", encodes(Subscribers.Completion<Code>.self))
    Use("Subscribers.Completion.init(from:)", decodes(Subscribers.Completion<Code>.self))
  }
}

enum DemandingUses: Family {
  typealias Demand = Subscribers.Demand

  static var types: [Use] {
    Use(
      "Subscribers.Demand",
      { (demand: Demand) in demand as any Comparable & Hashable & Codable & CustomStringConvertible })
  }

  static var members: [Use] {
    Use("Subscribers.Demand.unlimited", Demand.unlimited as Demand)
    Use("Subscribers.Demand.none", Demand.none as Demand)
    Use("Subscribers.Demand.max(_:)", Demand.max(_:) as (Int) -> Demand)
    Use("Subscribers.Demand.max", \.max as KeyPath<Demand, Int?>)
    Use("Subscribers.Demand.description", \.description as KeyPath<Demand, String>)
    Use("Demand + Demand", (+) as (Demand, Demand) -> Demand)
    Use("Demand += Demand", (+=) as (inout Demand, Demand) -> Void)
    Use("Demand + Int", (+) as (Demand, Int) -> Demand)
    Use("Demand += Int", (+=) as (inout Demand, Int) -> Void)
    Use("Demand * Int", (*) as (Demand, Int) -> Demand)
    Use("Demand *= Int", (*=) as (inout Demand, Int) -> Void)
    Use("Demand - Demand", (-) as (Demand, Demand) -> Demand)
    Use("Demand -= Demand", (-=) as (inout Demand, Demand) -> Void)
    Use("Demand - Int", (-) as (Demand, Int) -> Demand)
    Use("Demand -= Int", (-=) as (inout Demand, Int) -> Void)
    Use("Demand > Int", (>) as (Demand, Int) -> Bool)
    Use("Demand >= Int", (>=) as (Demand, Int) -> Bool)
    Use("Int > Demand", (>) as (Int, Demand) -> Bool)
    Use("Int >= Demand", (>=) as (Int, Demand) -> Bool)
    Use("Demand < Int", (<) as (Demand, Int) -> Bool)
    Use("Int < Demand", (<) as (Int, Demand) -> Bool)
    Use("Demand <= Int", (<=) as (Demand, Int) -> Bool)
    Use("Int <= Demand", (<=) as (Int, Demand) -> Bool)
    Use("Demand < Demand", (<) as (Demand, Demand) -> Bool)
    Use("Demand <= Demand", (<=) as (Demand, Demand) -> Bool)
    Use("Demand >= Demand", (>=) as (Demand, Demand) -> Bool)
    Use("Demand > Demand", (>) as (Demand, Demand) -> Bool)
    Use("Demand == Int", (==) as (Demand, Int) -> Bool)
    Use("Demand != Int", (!=) as (Demand, Int) -> Bool)
    Use("Int == Demand", (==) as (Int, Demand) -> Bool)
    Use("Int != Demand", (!=) as (Int, Demand) -> Bool)
  }
}
