import Streams
import StreamsTesting
import Testing

@Suite("`assign(to:on:)`", .leavesNothing)
struct AssignTests {
  private final class Model {
    var number = 0 {
      didSet { history.append(number) }
    }
    var history: [Int] = []
  }

  @Test("`assign(to:on:)` requests unlimited demand, and assigns each value")
  func assigns() {
    let model = Model()
    let script = Script(Int.self, failure: Never.self)
    let cancellable = script.assign(to: \.number, on: model)

    script.say(1, 2)
    script.end()
    script.say(3)

    #expect(script.asks == [.request(.unlimited)])
    #expect(model.history == [1, 2])
    cancellable.cancel()
  }

  @Test("`assign(to:on:)` retains its object until completion or cancellation", arguments: [true, false])
  func holds(isCancelled: Bool) {
    let lifetimes = Lifetimes()
    let script = Script(Int.self, failure: Never.self)
    let cancellable = script.assign(to: \.number, on: lifetimes.track(Model(), as: "model"))
    let before = lifetimes.living

    if isCancelled { cancellable.cancel() } else { script.end() }

    #expect(before == ["model"])
    #expect(lifetimes.living.isEmpty)
    #expect(script.cancellations == (isCancelled ? 1 : 0))
  }

  @Test("A reference to `assign(to:on:)` itself assigns each value, and the subscriber shows its object")
  func references() {
    let model = Model()
    let script = Script(Int.self, failure: Never.self)
    let assign: (ReferenceWritableKeyPath<Model, Int>, Model) -> AnyCancellable = script.assign(to:on:)
    let subscriber = Subscribers.Assign(object: model, keyPath: \.number)

    let cancellable = assign(\.number, model)
    script.say(1)

    #expect(model.history == [1])
    #expect(subscriber.object === model)
    cancellable.cancel()
    subscriber.cancel()
  }

  @Test("`assign(to:on:)` assigns nothing before its subscription or after cancellation")
  func outOfOrder() {
    let model = Model()
    let assign = Subscribers.Assign(object: model, keyPath: \.number)
    let (first, second) = (SubscriptionRecorder(), SubscriptionRecorder())

    _ = assign.receive(1)
    assign.receive(subscription: first)
    assign.receive(subscription: second)
    _ = assign.receive(2)
    assign.cancel()
    assign.cancel()
    _ = assign.receive(3)

    #expect(model.history == [2])
    #expect(first.asks == [.request(.unlimited), .cancel])
    #expect(second.asks == [.cancel])
    #expect(assign.object == nil)
  }

  @Test("`assign(to:on:)` can be cancelled inside an assignment")
  func reentrant() {
    final class Stopper {
      var cancellable: AnyCancellable?
      var history: [Int] = []
      var number = 0 {
        didSet {
          history.append(number)
          cancellable = nil
        }
      }
    }
    let stopper = Stopper()
    let subject = PassthroughSubject<Int, Never>()
    stopper.cancellable = subject.assign(to: \.number, on: stopper)

    subject.send(1)
    subject.send(2)

    #expect(stopper.history == [1])
  }

  @Test("The description of `assign(to:on:)` contains the type of its object")
  func names() {
    let assign = Subscribers.Assign(object: Model(), keyPath: \.number)

    #expect("\(assign)" == "Assign Model.")
    #expect(assign.keyPath == \.number)
    #expect(assign.customMirror.children.map(\.label) == ["object", "keyPath", "status"])
  }
}
