import Interleavings
@testable import StreamImages

/// A table of jobs, and the work of its only key.
private final class Table: @unchecked Sendable {  // fibers share one thread
  let table = JobTable<String, EncodedImage>()
  let work = Work()
  private(set) var listeners: [Listener] = []

  func listener(
    _ demand: Subscribers.Demand = .unlimited, answering answer: Subscribers.Demand = .none
  ) -> Listener {
    let listener = Listener(demand, answering: answer)
    listeners.append(listener)
    return listener
  }

  func publisher(_ priority: DynamicPriority = DynamicPriority(.normal)) -> AnyPublisher<
    EncodedImage, ImagePipeline.Error
  > {
    table.publisher("image", for: priority) { [work] in work.publisher($0) }
  }

  /// Subscribes one more, before the scenario begins.
  func begin() -> Listener {
    let listener = listener()
    publisher().subscribe(listener)
    return listener
  }

  /// What is wrong at the end, when nobody is waiting any more.
  var complaint: String? {
    for listener in listeners { if let words = listener.complaint { return words } }
    if table.count != 0 { return "J1: \(table.count) jobs are left" }
    if let run = work.open {
      return "J2: a run goes on for nobody, of \(work.runs.count): \(run.priority.current)"
    }
    for listener in listeners { listener.release() }
    return nil
  }

  /// Ends what is going on, so that whoever waits has a result.
  func settle() {
    var count = 0
    while let run = work.open, count < 4 {
      run.finish(90 + count)
      count += 1
    }
  }
}

extension ImageScenario {
  /// Requests for the same result share a job: each listener has the result once, nobody has nothing, and the work goes
  /// on for as long as anybody listens, and no longer.
  static var jobs: [ImageScenario] { joining + leaving + ending + priorities }

  private static func table(
    _ name: String, _ make: @escaping (Play, Table) -> (() -> String?)?
  ) -> ImageScenario {
    ImageScenario("JobTable: \(name)") { play in
      let table = Table()
      let check = make(play, table)
      return {
        table.settle()
        return table.complaint ?? check?()
      }
    }
  }

  private static var joining: [ImageScenario] {
    [
      table("two join, and the job ends") { play, table in
        for _ in 0..<2 {
          let listener = table.listener()
          play.thread { table.publisher().subscribe(listener) }
        }
        play.thread { table.work.next()?.finish(1) }
        return nil
      },
      table("one joins while the job ends") { play, table in
        _ = table.begin()
        let late = table.listener()
        play.thread { table.publisher().subscribe(late) }
        play.thread { table.work.open?.finish(1) }
        // Either the result of the job that ended, or that of its own.
        return { table.work.runs.count <= 2 ? nil : "J3: \(table.work.runs.count) runs" }
      },
      table("one joins while a preview and the result arrive") { play, table in
        _ = table.begin()
        let late = table.listener()
        play.thread { table.publisher().subscribe(late) }
        play.thread {
          let run = table.work.open
          run?.show(1)
          run?.finish(2)
        }
        return nil
      },
      table("one joins while the job fails") { play, table in
        _ = table.begin()
        let late = table.listener()
        play.thread { table.publisher().subscribe(late) }
        play.thread { table.work.open?.fail() }
        return nil
      },
      // The job has its result before there is something to cancel.
      table("work that ends at once, for two") { play, table in
        table.work.onStart = { $0.finish(1) }
        for _ in 0..<2 {
          let listener = table.listener()
          play.thread { table.publisher().subscribe(listener) }
        }
        return nil
      },
      // The first job is over before it stores its work. By then, the key may have another job.
      table("work that ends at once, and work that does not") { play, table in
        table.work.onStart = { [unowned work = table.work] run in if work.runs.count == 1 { run.finish(1) } }
        for _ in 0..<2 {
          let listener = table.listener()
          play.thread { table.publisher().subscribe(listener) }
        }
        return nil
      },
      table("one joins inside the delivery of the result") { play, table in
        let first = table.begin()
        let again = table.listener()
        first.onFirst = { table.publisher().subscribe(again) }
        play.thread { table.work.open?.finish(1) }
        let late = table.listener()
        play.thread { table.publisher().subscribe(late) }
        return {
          again.results.first?.number == 1 ? "J3: the job that ended delivers to who came later" : nil
        }
      },
    ]
  }

  private static var leaving: [ImageScenario] {
    [
      table("the only one leaves while another joins") { play, table in
        let first = table.begin()
        let late = table.listener()
        play.thread { first.cancel() }
        play.thread { table.publisher().subscribe(late) }
        return nil
      },
      table("both leave") { play, table in
        for _ in 0..<2 {
          let listener = table.begin()
          play.thread { listener.cancel() }
        }
        return {
          table.work.runs[0].cancellations == 1
            ? nil : "J2: \(table.work.runs[0].cancellations) cancellations"
        }
      },
      table("one leaves while the job ends") { play, table in
        let listener = table.begin()
        _ = table.begin()
        let run = table.work.open!
        play.thread { listener.cancel() }
        play.thread { run.finish(1) }
        return { run.isCancelled ? "J2: the work is cancelled, and one still listens" : nil }
      },
      table("the last one leaves while the job ends") { play, table in
        let listener = table.begin()
        let run = table.work.open!
        play.thread { listener.cancel() }
        play.thread { run.finish(1) }
        return nil
      },
      table("one joins and leaves, one stays") { play, table in
        _ = table.begin()
        let guest = table.listener()
        play.thread {
          table.publisher().subscribe(guest)
          guest.cancel()
        }
        play.thread { table.work.open?.show(1) }
        return { table.work.runs.count == 1 ? nil : "J2: the work was cancelled, and one listened" }
      },
      // Whoever starts the work may be cancelled before there is something to cancel.
      table("the first leaves while it starts the work, another joins") { play, table in
        let first = table.listener()
        let late = table.listener()
        let isStarting = Signal()
        table.work.onStart = { _ in isStarting.set() }
        play.thread { table.publisher().subscribe(first) }
        play.thread {
          isStarting.wait()
          first.cancel()
        }
        play.thread {
          isStarting.wait()
          table.publisher().subscribe(late)
        }
        return nil
      },
      table("one leaves inside the delivery, another at the same time") { play, table in
        let (first, second) = (table.begin(), table.begin())
        first.onFirst = { first.cancel() }
        let run = table.work.open!
        play.thread { run.show(1) }
        play.thread { second.cancel() }
        return nil
      },
    ]
  }

  private static var ending: [ImageScenario] {
    [
      table("closed while one joins") { play, table in
        _ = table.begin()
        let late = table.listener()
        play.thread { table.publisher().subscribe(late) }
        play.thread { table.table.close(.pipelineInvalidated) }
        return { late.errors == [.pipelineInvalidated] ? nil : "J4: \(late.errors)" }
      },
      table("closed while the job ends") { play, table in
        _ = table.begin()
        let run = table.work.open!
        play.thread { run.finish(1) }
        play.thread { table.table.close(.pipelineInvalidated) }
        return nil
      },
      table("closed while the last one leaves") { play, table in
        let listener = table.begin()
        play.thread { listener.cancel() }
        play.thread { table.table.close(.pipelineInvalidated) }
        return nil
      },
      table("a result, and the job is requested again") { play, table in
        _ = table.begin()
        let again = table.listener()
        let run = table.work.open!
        play.thread {
          run.finish(1)
          table.publisher().subscribe(again)
        }
        let late = table.listener()
        play.thread { table.publisher().subscribe(late) }
        return { again.results.first?.number == 1 ? "J3: the job that ended delivers once more" : nil }
      },
      table("a result without demand waits for it") { play, table in
        let listener = table.listener(.max(1))
        table.publisher().subscribe(listener)
        let run = table.work.open!
        play.thread {
          run.show(1)
          run.finish(2)
        }
        play.thread { listener.request(.max(1)) }
        return { listener.results.map(\.number) == [2] ? nil : "X05: \(listener.results.count) results" }
      },
    ]
  }

  /// The priority of a job is the highest of those who listen.
  private static var priorities: [ImageScenario] {
    [
      table("a priority is raised while the job begins") { play, table in
        let priority = DynamicPriority(.low)
        let listener = table.listener()
        play.thread { table.publisher(priority).subscribe(listener) }
        play.thread { priority.set(.high) }
        return check(table, .high)
      },
      table("one joins with a high priority while another leaves") { play, table in
        let first = table.listener()
        table.publisher(DynamicPriority(.veryHigh)).subscribe(first)
        let second = table.listener()
        table.publisher(DynamicPriority(.low)).subscribe(second)
        let third = table.listener()
        play.thread { first.cancel() }
        play.thread { table.publisher(DynamicPriority(.high)).subscribe(third) }
        return check(table, .high)
      },
      // Whoever observes the job must have seen its last priority.
      table("two priorities change at the same time") { play, table in
        let priorities = [DynamicPriority(.low), DynamicPriority(.low)]
        for priority in priorities { table.publisher(priority).subscribe(table.listener()) }
        let job = table.work.open!.priority
        let seen = Log<ImageRequest.Priority>()
        let watch = job.observe { seen.add(job.current) }
        play.thread { priorities[0].set(.veryHigh) }
        play.thread {
          priorities[1].set(.high)
          priorities[0].set(.normal)
        }
        let last = check(table, nil)
        return {
          watch.cancel()
          return seen.entries.last == job.current
            ? last() : "J5: \(job.current), and \(seen.entries) was seen"
        }
      },
      ImageScenario("DynamicPriority: changes arrive out of order") { play in
        let priority = DynamicPriority(.low)
        let seen = Log<ImageRequest.Priority>()
        let watch = priority.observe { seen.add(priority.current) }
        play.thread { priority.set(.normal, change: 1) }
        play.thread { priority.set(.high, change: 2) }
        return {
          watch.cancel()
          return priority.current == .high && seen.entries.last == .high ? nil : "J5: \(seen.entries)"
        }
      },
      ImageScenario("DynamicPriority: progress while one joins and one leaves") { play in
        let reports = (0..<2).map { _ in Log<Int>() }
        let waiters = reports.map { log in DynamicPriority(.low) { log.add($0.completed) } }
        let job = DynamicPriority(.low)
        let first = job.add(waiters[0])
        let second = Slot<DynamicPriority.Membership>(nil)
        play.thread { for count in 1...2 { job.report(LoadProgress(completed: count)) } }
        play.thread { first.cancel() }
        play.thread { second.value = job.add(waiters[1]) }
        return {
          second.value?.cancel()
          for log in reports where log.entries != log.entries.sorted() { return "J6: \(log.entries)" }
          return reports[1].entries.last == 1 ? "J6: \(reports[1].entries)" : nil
        }
      },
    ]
  }

  /// The priority that the job had while all listened. Checked before it ends, so by the first listener.
  private static func check(_ table: Table, _ priority: ImageRequest.Priority?) -> () -> String? {
    let last = Slot<ImageRequest.Priority>(nil)
    table.listeners.last?.onFirst = { last.value = table.work.runs.last?.priority.current }
    return {
      if let priority, last.value != priority {
        return "J5: \(String(describing: last.value)), not \(priority)"
      }
      return nil
    }
  }
}
