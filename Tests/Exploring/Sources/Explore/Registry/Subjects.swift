import Streams
import StreamsExtras

extension Explored {
  static var subjects: [Explored] {
    [
      Explored(
        "PassthroughSubject", .all, [.isForMany],
        building: { stand in
          let subject = PassthroughSubject<Item, Fault>()
          stand.add(Input(send: { subject.send($0) }, complete: { subject.send(completion: $0) }))
          return subject
        }),
      Explored(
        "PassthroughSubject, tried", .all, [.isForMany, .isTried],
        building: { stand in
          let subject = PassthroughSubject<Item, Fault>()
          stand.add(
            Input(
              send: { item in stand.attempt(item, with: subject.trySend) { subject.send($0) } },
              complete: { subject.send(completion: $0) }))
          return subject
        }),
      Explored(
        "CurrentValueSubject, tried", .some, [.isForMany, .hasCurrent],
        building: { stand in
          let subject = CurrentValueSubject<Item, Fault>(Item(0))
          stand.add(
            Input(
              send: { item in stand.attempt(item, with: subject.trySend) { subject.send($0) } },
              complete: { subject.send(completion: $0) }))
          stand.latest = { subject.value.number }
          return subject
        }),
      Explored(
        "CurrentValueSubject", .some, [.isForMany, .hasCurrent],
        building: { stand in
          let subject = CurrentValueSubject<Item, Fault>(Item(0))
          stand.add(Input(send: { subject.send($0) }, complete: { subject.send(completion: $0) }))
          stand.latest = { subject.value.number }
          return subject
        }),
      Explored(
        "CurrentValueSubject, assigned", .some, [.isForMany, .hasCurrent],
        building: { stand in
          let subject = CurrentValueSubject<Item, Fault>(Item(0))
          stand.add(Input(send: { subject.value = $0 }, complete: { subject.send(completion: $0) }))
          stand.latest = { subject.value.number }
          return subject
        }),
      Explored(
        "Published", .some, [.isForMany, .neverEnds, .hasCurrent],
        building: { stand in
          let model = Model()
          stand.add(Input(send: { model.item = $0 }, complete: { _ in }))
          stand.latest = { model.item.number }
          return model.$item.setFailureType(to: Fault.self)
        }),
      Explored(
        "Future", .some, [.isForMany],
        building: { stand in
          Future<Item, Fault> { promise in
            let end = { (completion: Subscribers.Completion<Fault>) in
              switch completion {
              case .finished: promise(.success(Item(1)))
              case .failure(let fault): promise(.failure(fault))
              }
            }
            stand.add(Input(send: { promise(.success($0)) }, complete: end))
          }
        }),
    ]
  }

  static var sources: [Explored] {
    [
      Explored(
        "Sequence", inputs: 0, .some, [.isSource, .countsDemand],
        building: { _ in
          [1, 2, 3, 4, 5, 6].map { Item($0) }.publisher.setFailureType(to: Fault.self)
        }),
      Explored(
        "Record", inputs: 0, .some, .isSource,
        building: { _ in
          Record<Item, Fault>(output: [Item(1), Item(2), Item(3)], completion: .failure(Fault()))
        }),
      Explored(
        "Just", inputs: 0, .some, .isSource,
        building: { _ in
          Just(Item(1)).setFailureType(to: Fault.self)
        }),
      Explored(
        "Result", inputs: 0, .some, .isSource,
        building: { _ in Result<Item, Fault>.success(Item(1)).publisher }),
    ]
  }
}

private final class Model {
  @Published var item = Item(0)
}
