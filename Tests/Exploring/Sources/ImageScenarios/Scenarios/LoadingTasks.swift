import Interleavings
@testable import StreamImages

/// A task of a user, and what it tells.
private final class Told: @unchecked Sendable {  // fibers share one thread
  let task = ImageTask(ImageRequest(priority: .low))
  let events = Log<String>()
  private(set) var work: Work.Run?
  private(set) var cancellations = 0
  private(set) var priority: DynamicPriority?
  private var isNotifying = false

  func start() {
    _ = task.start { [self] event in
      Explorer.shared.checkNoLockIsHeld("an event")
      if isNotifying { Explorer.shared.fail("X01: two events at the same time") }
      isNotifying = true
      switch event {
      case .progress(let progress): events.add("\(progress.completed)")
      case .preview: events.add("preview")
      case .finished(.success): events.add("success")
      case .finished(.failure): events.add("failure")
      }
      isNotifying = false
    }
  }

  func begin() {
    task.begin { [self] priority, run in
      run.hold {
        self.priority = priority
        return AnyCancellable { [self] in
          Explorer.shared.checkNoLockIsHeld("cancelling work")
          cancellations += 1
        }
      }
    }
  }

  func finish() { task.receive(.finished(.success(ImageResponse(1)))) }

  /// What is wrong with the events: there is one end, which is the last.
  var complaint: String? {
    let entries = events.entries
    let endings = entries.count { $0 == "success" || $0 == "failure" }
    if endings != 1 || !["success", "failure"].contains(entries.last) { return "L1: \(entries)" }
    if task.status.result == nil { return "L2: there is no result" }
    if task.isCancelled != (entries.last == "failure") {
      return "L2: \(entries), cancelled: \(task.isCancelled)"
    }
    if priority != nil, cancellations != 1 { return "X08: the work is stopped \(cancellations) times" }
    return nil
  }
}

extension ImageScenario {
  static var loadingTasks: [ImageScenario] { told + awaited + tracked }

  private static func task(
    _ name: String, _ make: @escaping (Play, Told) -> (() -> String?)?
  ) -> ImageScenario {
    ImageScenario("LoadingTask: \(name)") { play in
      let told = Told()
      told.start()
      let check = make(play, told)
      return {
        if told.task.status.result == nil { told.finish() }
        return told.complaint ?? check?()
      }
    }
  }

  /// Events come in order, the end last, and the work is stopped once, whenever the task ends.
  private static var told: [ImageScenario] {
    [
      task("it ends and is cancelled") { play, told in
        told.begin()
        play.thread { told.finish() }
        play.thread { told.task.cancel() }
        return nil
      },
      task("cancelled while the work begins") { play, told in
        play.thread { told.begin() }
        play.thread { told.task.cancel() }
        return nil
      },
      task("it ends while the work begins, and is cancelled") { play, told in
        play.thread {
          told.task.begin { _, run in
            run.hold {
              told.finish()
              return AnyCancellable {}
            }
          }
        }
        play.thread { told.task.cancel() }
        return nil
      },
      task("observed again while it progresses") { play, told in
        told.begin()
        let known = Log<Int>(), received = Log<Int>()
        let first = told.task.progressPublisher.sink { _ in }
        play.thread { told.task.receive(.progress(LoadProgress(completed: 1))) }
        play.thread {
          known.add(told.task.status.progress.completed)
          let second = told.task.progressPublisher.sink { received.add($0.completed) }
          second.cancel()
        }
        return {
          withExtendedLifetime(first) {}
          guard let known = known.entries.first, let next = received.entries.first else {
            return "L3: nothing"
          }
          return known <= next ? nil : "L3: \(next) after \(known)"
        }
      },
      task("progress, a preview and the end") { play, told in
        told.begin()
        play.thread {
          told.task.receive(.progress(LoadProgress(completed: 1)))
          told.task.receive(.progress(LoadProgress(completed: 2)))
        }
        play.thread { told.task.receive(.preview(ImageResponse(0))) }
        play.thread { told.finish() }
        return {
          let numbers = told.events.entries.compactMap(Int.init)
          return numbers == numbers.sorted() ? nil : "L1: \(told.events.entries)"
        }
      },
      task("the priority changes while the work begins") { play, told in
        play.thread { told.begin() }
        play.thread { told.task.priority = .high }
        return { told.priority?.current == .high ? nil : "J5: \(String(describing: told.priority?.current))" }
      },
      task("the priority is changed by two threads") { play, told in
        told.begin()
        for priority in [ImageRequest.Priority.high, .normal] {
          play.thread { told.task.priority = priority }
        }
        let last = Slot<ImageRequest.Priority>(nil)
        play.thread {
          poll { told.task.status.number == 2 }
          last.value = told.task.priority
        }
        return {
          told.priority?.current == last.value ? nil : "J5: \(String(describing: told.priority?.current))"
        }
      },
      task("progress after the end") { play, told in
        told.begin()
        play.thread { told.priority?.report(LoadProgress(completed: 1)) }
        play.thread { told.task.cancel() }
        return nil
      },
    ]
  }

  /// Tasks and subscribers that wait for the end.
  private static var awaited: [ImageScenario] {
    [
      task("two wait for it") { play, told in
        told.begin()
        let log = Log<Bool>()
        for _ in 0..<2 { play.task { log.add((try? await told.task.response) != nil) } }
        play.thread { told.finish() }
        return { log.entries == [true, true] ? nil : "Q3: \(log.entries)" }
      },
      task("one waits, and it is cancelled") { play, told in
        told.begin()
        let log = Log<Bool>()
        play.task { log.add((try? await told.task.response) != nil) }
        play.thread { told.finish() }
        play.thread { told.task.cancel() }
        return { log.entries == [!told.task.isCancelled] ? nil : "L2: \(log.entries)" }
      },
      task("the one who waits is cancelled") { play, told in
        told.begin()
        let log = Log<Bool>()
        let waiting = play.task { log.add((try? await told.task.response) != nil) }
        play.thread { told.finish() }
        play.thread { waiting.cancel() }
        return { log.entries == [!told.task.isCancelled] ? nil : "L2: \(log.entries)" }
      },
      task("a subscriber comes while it ends") { play, told in
        told.begin()
        let log = Log<String>()
        let holder = Slot<AnyCancellable>(nil)
        play.thread {
          holder.value = told.task.eventPublisher.sink { _ in
            log.add("over")
          } receiveValue: { event in
            if case .finished = event { log.add("end") }
          }
        }
        play.thread { told.finish() }
        return {
          holder.value = nil
          return log.entries == ["end", "over"] ? nil : "L3: \(log.entries)"
        }
      },
      task("a subscriber to its progress, which goes on") { play, told in
        told.begin()
        let log = Log<Int>()
        let holder = Slot<AnyCancellable>(nil)
        play.thread { holder.value = told.task.progressPublisher.sink { log.add($0.completed) } }
        play.thread { for count in 1...2 { told.task.receive(.progress(LoadProgress(completed: count))) } }
        return {
          holder.value = nil
          return log.entries == log.entries.sorted() && log.entries.last == 2 ? nil : "L3: \(log.entries)"
        }
      },
    ]
  }

  /// Subscriptions in progress are counted, each once.
  private static var tracked: [ImageScenario] {
    [
      ImageScenario("ActivityTracker: one ends while another is cancelled") { play in
        let tracker = ActivityTracker()
        let log = Log<Int>()
        let watch = tracker.counts.sink { log.add($0) }
        let subject = PassthroughSubject<Int, Never>()
        let first = subject.trackActivity(tracker).sink { _ in }
        let other = PassthroughSubject<Int, Never>().trackActivity(tracker).sink { _ in }
        play.thread { subject.send(completion: .finished) }
        play.thread { other.cancel() }
        return {
          withExtendedLifetime((first, watch)) {}
          return log.entries.last == 0 && tracker.count == 0 ? nil : "A1: \(log.entries), \(tracker.count)"
        }
      },
      ImageScenario("ActivityTracker: one ends and is cancelled") { play in
        let tracker = ActivityTracker()
        let subject = PassthroughSubject<Int, Never>()
        let first = subject.trackActivity(tracker).sink { _ in }
        play.thread { subject.send(completion: .finished) }
        play.thread { first.cancel() }
        return { tracker.count == 0 ? nil : "A1: \(tracker.count)" }
      },
    ]
  }
}
