internal import Interleavings
@testable internal import StreamImages

/// The work of jobs: publishers of images that a scenario drives.
final class Work: @unchecked Sendable {  // fibers share one thread
  /// One run of the work.
  final class Run: @unchecked Sendable {  // see above
    private let token = Token()
    fileprivate var value: ((EncodedImage) -> Void)?
    fileprivate var completion: ((Subscribers.Completion<ImagePipeline.Error>) -> Void)?
    private(set) var isCancelled = false
    private(set) var hasEnded = false
    private(set) var cancellations = 0
    let priority: DynamicPriority
    /// What starting it happens before.
    private let past = Explorer.shared.publish()

    fileprivate init(_ priority: DynamicPriority) { self.priority = priority }

    func show(_ number: Int) {
      Explorer.shared.join(past)
      value?(EncodedImage(number, isPreview: true))
    }

    func finish(_ number: Int) {
      Explorer.shared.join(past)
      hasEnded = true
      let (value, completion) = (value.take(), completion.take())
      value?(EncodedImage(number))
      completion?(.finished)
    }

    func fail(_ error: ImagePipeline.Error = .other) {
      Explorer.shared.join(past)
      hasEnded = true
      value = nil
      completion.take()?(.failure(error))
    }

    fileprivate func cancel() {
      Explorer.shared.checkNoLockIsHeld("cancelling work")
      cancellations += 1
      if cancellations > 1 { Explorer.shared.fail("X08: work is cancelled twice") }
      if hasEnded { return }
      isCancelled = true
      (value, completion) = (nil, nil)
    }
  }

  private(set) var runs: [Run] = []
  private let object = Explorer.shared.newObject()
  private var isOver = false
  /// What the work does as soon as it is started.
  var onStart: ((Run) -> Void)?

  func publisher(_ priority: DynamicPriority) -> AnyPublisher<EncodedImage, ImagePipeline.Error> {
    WorkPublisher(work: self, priority: priority).eraseToAnyPublisher()
  }

  /// Waits for a run that has neither ended nor been cancelled. `nil` if nobody will start one.
  func next() -> Run? {
    Explorer.shared.wait(for: object) { [unowned self] in open != nil || isOver }
    return open
  }

  /// Nobody starts it any more.
  func close() {
    isOver = true
    Explorer.shared.touch(object)
  }

  /// The run that is going on.
  var open: Run? { runs.last { !$0.hasEnded && !$0.isCancelled } }

  fileprivate func start(_ run: Run) {
    Explorer.shared.checkNoLockIsHeld("starting work")
    runs.append(run)
    Explorer.shared.touch(object)
    onStart?(run)
  }

  private struct WorkPublisher: Publisher {
    typealias Output = EncodedImage
    typealias Failure = ImagePipeline.Error

    let work: Work
    let priority: DynamicPriority

    func receive<Downstream: Subscriber<Output, Failure>>(subscriber: Downstream) {
      let run = Run(priority)
      run.value = { _ = subscriber.receive($0) }
      run.completion = { subscriber.receive(completion: $0) }
      subscriber.receive(subscription: WorkSubscription(run: run))
      if run.isCancelled { return }
      work.start(run)
    }
  }

  private final class WorkSubscription: Subscription {
    private let run: Run

    init(run: Run) { self.run = run }

    func request(_: Subscribers.Demand) {}
    func cancel() { run.cancel() }
  }
}
