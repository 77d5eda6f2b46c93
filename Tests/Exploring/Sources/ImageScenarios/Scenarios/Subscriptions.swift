import Interleavings
@testable import StreamImages

/// A subscription to a result that a scenario drives.
private final class Delivery: @unchecked Sendable {  // fibers share one thread
  let listener: Listener
  private(set) var subscription: ResultSubscription<EncodedImage, ImagePipeline.Error>?
  private(set) var starts = 0
  private(set) var cancellations = 0

  init(_ demand: Subscribers.Demand, answering answer: Subscribers.Demand = .none) {
    listener = Listener(demand, answering: answer)
  }

  func subscribe() {
    ResultPublisher("Explored") { [self] subscription in
      Explorer.shared.checkNoLockIsHeld("starting work")
      starts += 1
      self.subscription = subscription
      return AnyCancellable { [self] in
        Explorer.shared.checkNoLockIsHeld("cancelling work")
        cancellations += 1
      }
    }
    .subscribe(listener)
  }

  var complaint: String? {
    defer {
      listener.release()
      subscription = nil
    }
    if starts > 1 { return "X09: the work is started \(starts) times" }
    if cancellations > 1 { return "X08: the work is cancelled \(cancellations) times" }
    if listener.isCancelled, starts == 1, cancellations == 0, listener.completions == 0 {
      return "J2: the work goes on for nobody"
    }
    return listener.complaint
  }
}

extension ImageScenario {
  /// Previews and a result are delivered on demand, one after another, whichever threads send and request.
  static var subscriptions: [ImageScenario] {
    [
      delivery("a result and a failure") { play, delivery in
        play.thread { delivery.subscription?.finish(EncodedImage(1)) }
        play.thread { delivery.subscription?.fail(.other) }
      },
      delivery("a preview and a result") { play, delivery in
        play.thread { delivery.subscription?.show(EncodedImage(1, isPreview: true)) }
        play.thread { delivery.subscription?.finish(EncodedImage(2)) }
      },
      delivery("two previews, one requested", .max(1), settles: true) { play, delivery in
        for number in 1...2 {
          play.thread { delivery.subscription?.show(EncodedImage(number, isPreview: true)) }
        }
        play.thread { delivery.subscription?.finish(EncodedImage(3)) }
      },
      delivery("a result waits for a request", .max(1), settles: true) { play, delivery in
        play.thread {
          delivery.subscription?.show(EncodedImage(1, isPreview: true))
          delivery.subscription?.finish(EncodedImage(2))
        }
        play.thread { delivery.listener.request(.max(1)) }
      },
      delivery("two threads request the first time", .none) { play, delivery in
        for _ in 0..<2 { play.thread { delivery.listener.request(.max(1)) } }
        play.thread {
          poll { delivery.subscription != nil }
          delivery.subscription?.finish(EncodedImage(1))
        }
      },
      delivery("each value is answered with a request", .max(1), answering: .max(1)) { play, delivery in
        play.thread { delivery.subscription?.show(EncodedImage(1, isPreview: true)) }
        play.thread { delivery.subscription?.finish(EncodedImage(2)) }
      },
      delivery("cancelled while the result arrives") { play, delivery in
        play.thread { delivery.listener.cancel() }
        play.thread { delivery.subscription?.finish(EncodedImage(1)) }
      },
      delivery("cancelled while it fails and shows") { play, delivery in
        play.thread { delivery.listener.cancel() }
        play.thread { delivery.subscription?.fail(.other) }
        play.thread { delivery.subscription?.show(EncodedImage(1, isPreview: true)) }
      },
      delivery("cancelled inside a delivery, and the result arrives") { play, delivery in
        delivery.listener.onFirst = { delivery.listener.cancel() }
        play.thread { delivery.subscription?.show(EncodedImage(1, isPreview: true)) }
        play.thread { delivery.subscription?.finish(EncodedImage(2)) }
      },
      delivery("cancelled while the work is started", .none) { play, delivery in
        play.thread { delivery.listener.request(.max(1)) }
        play.thread { delivery.listener.cancel() }
      },
      delivery("cancelled by two threads") { play, delivery in
        for _ in 0..<2 { play.thread { delivery.listener.cancel() } }
        play.thread { delivery.subscription?.finish(EncodedImage(1)) }
      },
    ]
  }

  /// - Parameter settles: Whether what is missing is requested at the end.
  private static func delivery(
    _ name: String, _ demand: Subscribers.Demand = .unlimited, answering answer: Subscribers.Demand = .none,
    settles: Bool = false, _ make: @escaping (Play, Delivery) -> Void
  ) -> ImageScenario {
    ImageScenario("ResultSubscription: \(name)") { play in
      let delivery = Delivery(demand, answering: answer)
      delivery.subscribe()
      make(play, delivery)
      return {
        if settles, delivery.listener.completions == 0 { delivery.listener.request(.max(2)) }
        return delivery.complaint
      }
    }
  }
}
