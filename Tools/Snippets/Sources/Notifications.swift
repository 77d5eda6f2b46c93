import Foundation
import Streams
import StreamsFoundation

extension Notification.Name {
  static let didLogIn = Notification.Name("didLogIn")
  static let didLogOut = Notification.Name("didLogOut")
}

extension NotificationCenter {
  fileprivate func userPublisher() -> AnyPublisher<String?, Never> {
    let ins = publisher(for: .didLogIn).map { $0.userInfo?["name"] as? String }
    let outs = publisher(for: .didLogOut).map { _ in nil as String? }
    return ins.merge(with: outs).prepend(nil).eraseToAnyPublisher()
  }
}

private final class Greeter {
  private var cancellables = Set<AnyCancellable>()

  init(center: NotificationCenter) {
    center.userPublisher()
      .removeDuplicates()
      .map { $0.map { "Hello, \($0)" } ?? "Nobody is here" }
      .sink { print($0) }
      .store(in: &cancellables)
  }
}

@MainActor
func notifications() async {
  let center = NotificationCenter()
  var greeter: Greeter? = Greeter(center: center)
  center.post(name: .didLogIn, object: nil, userInfo: ["name": "Ada"])
  center.post(name: .didLogIn, object: nil, userInfo: ["name": "Ada"])
  center.post(name: .didLogOut, object: nil)
  center.post(name: .didLogIn, object: nil, userInfo: ["name": "Grace"])
  print("greeter is alive:", greeter != nil)
  greeter = nil
  center.post(name: .didLogOut, object: nil)

  let sender = NSObject()
  var tokens: [AnyCancellable] = []
  center.publisher(for: .didLogIn, object: sender)
    .compactMap { $0.object as AnyObject? }
    .sink { print("from the sender:", $0 === sender) }
    .store(in: &tokens)
  center.post(name: .didLogIn, object: nil)
  center.post(name: .didLogIn, object: sender)

  NotificationCenter.default.publisher(for: .didLogOut)
    .receive(on: DispatchQueue.main)
    .map { _ in "received on the main queue: \(Thread.isMainThread)" }
    .first()
    .sink { print($0) }
    .store(in: &tokens)
  let loggedOut = Notification.Name.didLogOut
  await wait { done in
    DispatchQueue.global().async {
      NotificationCenter.default.post(name: loggedOut, object: nil)
      DispatchQueue.main.async(execute: done)
    }
  }

  // What is posted while nobody awaits waits in a buffer.
  var names = center.publisher(for: .didLogIn)
    .compactMap { $0.userInfo?["name"] as? String }
    .buffer(size: 8, prefetch: .byRequest, whenFull: .dropOldest)
    .values
    .makeAsyncIterator()
  center.post(name: .didLogIn, object: nil, userInfo: ["name": "Lin"])
  center.post(name: .didLogIn, object: nil)
  center.post(name: .didLogIn, object: nil, userInfo: ["name": "Mary"])
  print("awaited:", await names.next() ?? "nobody", "and", await names.next() ?? "nobody")
}
