import Streams

extension Publisher {
  /// A usual helper, in which each closure may be left out.
  fileprivate func sink(
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil,
    receiveValue: ((Output) -> Void)? = nil
  ) -> AnyCancellable {
    note()
    return sink(receiveCompletion: { receiveCompletion?($0) }, receiveValue: { receiveValue?($0) })
  }
}

extension Publisher where Failure == Never {
  /// A default for the owner would make it ambiguous, because the library's own has a parameter with a default, too.
  fileprivate func assign<Root: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root, owner: Owner
  ) -> AnyCancellable {
    note()
    return switch owner {
    case .strong: assign(to: keyPath, on: object)
    case .weak:
      sink(receiveCompletion: { _ in }, receiveValue: { [weak object] in object?[keyPath: keyPath] = $0 })
    }
  }
}

private enum Owner { case strong, weak }

private final class Target {
  var value = 0
}

func optionalSinks() {
  show("sinks with closures that may be left out") {
    _ = Fail<Int, any Error>(error: CancellationError()).sink(receiveCompletion: { _ in note("completion") })
    let target = Target()
    _ = Just(1).assign(to: \.value, on: target, owner: .weak)
    note("\(target.value)")
    _ = Just(2).assign(to: \.value, on: target, owner: .strong)
    note("\(target.value)")
    _ = Just(3).assign(to: \.value, on: target)
    note("\(target.value)")
  }
}
