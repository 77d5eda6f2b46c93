import Streams
import StreamsExtras

extension Publisher where Failure == Never {
  func assign<Root: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root, ownership: ObjectOwnership = .strong
  ) -> AnyCancellable {
    note()
    return AnyCancellable {}
  }

  func assign<Root1: AnyObject, Root2: AnyObject>(
    to keyPath1: ReferenceWritableKeyPath<Root1, Output>, on object1: Root1,
    and keyPath2: ReferenceWritableKeyPath<Root2, Output>, on object2: Root2,
    ownership: ObjectOwnership = .strong
  ) -> AnyCancellable {
    note()
    return AnyCancellable {}
  }

  func assign<Root1: AnyObject, Root2: AnyObject, Root3: AnyObject>(
    to keyPath1: ReferenceWritableKeyPath<Root1, Output>, on object1: Root1,
    and keyPath2: ReferenceWritableKeyPath<Root2, Output>, on object2: Root2,
    and keyPath3: ReferenceWritableKeyPath<Root3, Output>, on object3: Root3,
    ownership: ObjectOwnership = .strong
  ) -> AnyCancellable {
    note()
    return AnyCancellable {}
  }

  func subscribe<R: Relay>(_ relay: R) -> AnyCancellable where R.Output == Output {
    note("subscribe(relay)")
    return relay.subscribe(self)
  }
}

extension AnyPublisher {
  init(_ factory: @escaping Publishers.Create<Output, Failure>.SubscriberHandler) {
    self = Publishers.Create(factory: factory).eraseToAnyPublisher()
  }

  static func create(
    _ factory: @escaping Publishers.Create<Output, Failure>.SubscriberHandler
  ) -> AnyPublisher<Output, Failure> {
    note()
    return AnyPublisher(factory)
  }
}

private final class Target {
  var value = 0
}

func terminals() {
  let never = PassthroughSubject<Int, Never>()
  let target = Target()
  show("assigning") {
    _ = never.assign(to: \.value, on: target, ownership: .weak)
    _ = never.assign(to: \.value, on: target, and: \.value, on: target)
    _ = never.assign(to: \.value, on: target, and: \.value, on: target, ownership: .unowned)
    _ = never.assign(to: \.value, on: target, and: \.value, on: target, and: \.value, on: target)
  }
  show("creating") {
    _ = AnyPublisher<Int, Never>.create { subscriber in
      subscriber.send(1)
      subscriber.send(completion: .finished)
      return AnyCancellable {}
    }
    _ = AnyPublisher<Int, Never> { subscriber in
      subscriber.send(1)
      return AnyCancellable {}
    }
    _ = AnyPublisher<Int, Never> { (subscriber: Publishers.Create<Int, Never>.Subscriber) in AnyCancellable {}
    }
  }
}
