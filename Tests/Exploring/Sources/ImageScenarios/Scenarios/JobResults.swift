import Interleavings
@testable import StreamImages

extension ImageScenario {
  /// Tasks that wait for jobs and publishers.
  static var results: [ImageScenario] { jobResults + taskPublishers }

  private static func waiting(
    _ name: String, tasks: Int = 1, cancels: Bool = false, drive: @escaping (Work.Run) -> Void
  ) -> ImageScenario {
    ImageScenario("result(of:): \(name)") { play in
      let jobs = JobTable<String, EncodedImage>()
      let work = Work()
      let log = Log<Result<Int, ImagePipeline.Error>>()
      let waiting = (0..<tasks).map { _ in
        play.task {
          do throws(ImagePipeline.Error) {
            let step = jobs.step("image", for: DynamicPriority(.normal)) { priority in
              FlowStep { work.publisher(priority) }
            }
            let image = try await result(of: step)
            image.read()
            log.add(.success(image.number))
          } catch {
            log.add(.failure(error))
          }
          if log.entries.count == tasks { work.close() }
        }
      }
      // Whoever is late starts a run of its own.
      play.thread {
        if let run = work.next() { drive(run) }
        while let run = work.next() { run.finish(9) }
      }
      if cancels { play.thread { waiting[0].cancel() } }
      return {
        let cancelled = log.entries.count { $0 == .failure(.cancelled) }
        if cancelled > (cancels ? 1 : 0) { return "X05: \(cancelled) are cancelled" }
        if jobs.count != 0 { return "J1: \(jobs.count) jobs are left" }
        if work.open != nil { return "J2: a run goes on for nobody" }
        return log.entries.count == tasks ? nil : "Q3: \(log.entries.count) of \(tasks) have returned"
      }
    }
  }

  private static var jobResults: [ImageScenario] {
    [
      waiting("a result") { $0.finish(1) },
      waiting("two tasks, one job", tasks: 2) { $0.finish(1) },
      waiting("previews and the result") { run in
        for number in 1...2 { run.show(number) }
        run.finish(3)
      },
      waiting("a failure") { $0.fail() },
      waiting("cancelled while the result arrives", cancels: true) { $0.finish(1) },
      waiting("cancelled while a preview arrives", cancels: true) { $0.show(1) },
      waiting("cancelled while the job fails", cancels: true) { $0.fail() },
      ImageScenario("result(of:): cancelled, and another still listens") { play in
        let jobs = JobTable<String, EncodedImage>()
        let work = Work()
        let step = jobs.step("image", for: DynamicPriority(.normal)) { priority in
          FlowStep { work.publisher(priority) }
        }
        let listener = Listener()
        step.publisher.subscribe(listener)
        let run = work.open!
        let log = Log<Bool>()
        let task = play.task { log.add((try? await result(of: step)) != nil) }
        play.thread { run.finish(1) }
        play.thread { task.cancel() }
        return {
          work.open?.finish(9)
          defer { listener.release() }
          if run.isCancelled { return "J2: the work is cancelled, and one still listens" }
          return listener.complaint ?? (log.entries.count == 1 ? nil : "Q3: \(log.entries)")
        }
      },
    ]
  }

  /// A publisher of what a task makes: the task is one of the scenario's servants.
  private static var taskPublishers: [ImageScenario] {
    [
      made("a result") { _ in },
      made("cancelled") { $0.cancel() },
      made("two subscribers, one cancelled", listeners: 2) { $0.cancel() },
      made("a request comes late", demand: .none) { $0.request(.max(2)) },
    ]
  }

  private static func made(
    _ name: String, listeners count: Int = 1, demand: Subscribers.Demand = .unlimited,
    _ body: @escaping (Listener) -> Void
  ) -> ImageScenario {
    ImageScenario("FlowStep.task: \(name)", servants: count) { play in
      let (started, object) = (Log<Int>(), Sent(Explorer.shared.newObject()))
      let step = FlowStep<EncodedImage>.task { show async throws(ImagePipeline.Error) in
        started.add(1)
        show(EncodedImage(1, isPreview: true))
        Explorer.shared.point(object.value)
        if Task.isCancelled { throw .cancelled }
        return EncodedImage(2)
      }
      let listeners = (0..<count).map { _ in Listener(demand, answering: .max(1)) }
      for listener in listeners { step.publisher.subscribe(listener) }
      play.thread { body(listeners[0]) }
      return {
        if started.entries.count > count { return "X09: \(started.entries.count) tasks" }
        for listener in listeners {
          if let words = listener.complaint { return words }
          listener.release()
        }
        return nil
      }
    }
  }
}
