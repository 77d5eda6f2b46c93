import StreamImages
import StreamsTesting
import Testing

@Suite("`JobTable`")
final class JobTableTests {
  private struct Parcel: JobValue, Equatable {
    let name: String
    var isPreview = false
    var wasCoalesced = false
    /// Not part of what is compared: tests do not number jobs.
    var job: UInt64? {
      get { nil }
      set {}
    }
  }

  private let table = JobTable<String, Parcel>()
  private let work = ScriptedWork<Parcel>()

  // Jobs that a test leaves unfinished would hold the table for ever.
  deinit { table.close(.cancelled) }

  private func join(
    _ key: String = "a", _ priority: ImageRequest.Priority = .normal, demand: Subscribers.Demand = .unlimited
  ) -> Recorder<Parcel, ImagePipeline.Error> {
    table.publisher(key, for: DynamicPriority(priority)) { [work] _ in work.step }
      .record(demand: demand)
  }

  @Test("Subscribers of the same key share one job")
  func coalescing() {
    let recorders = (0..<3).map { _ in join() }
    #expect(work.begins == 1)
    #expect(table.count == 1)

    work.finish(Parcel(name: "a"))

    #expect(recorders.allSatisfy { $0.values.map(\.name) == ["a"] && $0.completions.count == 1 })
    #expect(recorders.map { $0.values[0].wasCoalesced } == [false, true, true])
    #expect(table.count == 0)
  }

  @Test("Different keys have separate jobs")
  func keys() {
    let recorders = [join("a"), join("b")]

    #expect(work.begins == 2)
    #expect(recorders.count == 2)
  }

  @Test("A job begins with the first demand, not with the subscription")
  func cold() {
    let recorder = join(demand: .none)
    #expect(table.count == 0)

    recorder.request(.max(1))

    #expect(work.begins == 1)
  }

  @Test("All subscribers receive previews, and late ones only those that follow")
  func previews() {
    let first = join()
    work.show(Parcel(name: "1", isPreview: true))
    let second = join()

    work.show(Parcel(name: "2", isPreview: true))
    work.finish(Parcel(name: "3"))

    #expect(first.values.map(\.name) == ["1", "2", "3"])
    #expect(second.values.map(\.name) == ["2", "3"])
  }

  @Test("A slow subscriber receives only the latest value when it requests more")
  func demand() {
    let (slow, quick) = (join(demand: .max(1)), join())
    work.show(Parcel(name: "1", isPreview: true))
    work.show(Parcel(name: "2", isPreview: true))
    work.finish(Parcel(name: "3"))

    #expect(quick.values.map(\.name) == ["1", "2", "3"])
    #expect(slow.values.map(\.name) == ["1"])
    slow.request(.max(1))
    #expect(slow.values.map(\.name) == ["1", "3"])
    #expect(slow.completions.count == 1)
  }

  @Test("A job stops when its last subscriber cancels, and not before")
  func leaving() {
    let recorders = [join(), join()]

    recorders[0].cancel()
    #expect(work.stops == 0)
    recorders[1].cancel()

    #expect(work.stops == 1)
    #expect(table.count == 0)
    #expect(recorders.allSatisfy { $0.completions.isEmpty })
  }

  @Test("A subscriber after the last cancellation or the end begins a new job")
  func anew() {
    join().cancel()
    let second = join()
    work.finish(Parcel(name: "2"))
    let third = join()

    #expect(work.begins == 3)
    #expect(second.values.count == 1)
    #expect(third.values.isEmpty)
  }

  @Test("A subscription from within the delivery begins a new job")
  func fromWithin() {
    var again: Recorder<Parcel, ImagePipeline.Error>?
    let publisher = table.publisher("a", for: DynamicPriority(.normal)) { [work] _ in work.step }
    let recorder = publisher.record { $0.onValue = { _, _ in again = publisher.record() } }

    work.finish(Parcel(name: "1"))
    #expect(work.begins == 2)
    work.finish(Parcel(name: "2"))

    #expect(recorder.values.map(\.name) == ["1"])
    #expect(again?.values.map(\.name) == ["2"])
  }

  @Test("A failure of the job reaches all subscribers")
  func failure() {
    let recorders = [join(), join()]
    work.fail(.dataMissingInCache)
    for recorder in recorders {
      guard case .failure(.dataMissingInCache)? = recorder.completions.first else {
        return unexpected(recorder.completions)
      }
    }
    #expect(table.count == 0)
  }

  @Test("A job has the priority of its most urgent subscriber")
  func priority() {
    let given = Guarded<DynamicPriority?>(nil)
    var job: DynamicPriority? { given.withLock { $0 } }
    let waiter = DynamicPriority(.low)
    let publisher = { [table, work] (waiter: DynamicPriority) in
      table.publisher("a", for: waiter) { priority in
        given.withLock { $0 = priority }
        return work.step
      }
    }

    let first = publisher(waiter).record()
    #expect(job?.current == .low)
    let second = publisher(DynamicPriority(.high)).record()
    #expect(job?.current == .high)
    second.cancel()
    #expect(job?.current == .low)
    waiter.set(.veryHigh)
    #expect(job?.current == .veryHigh)
    first.cancel()
    #expect(job?.current == .veryLow)
  }

  @Test("Closing a job table fails running jobs and later subscribers")
  func closing() {
    let running = join()
    table.close(.pipelineInvalidated)
    let late = join()

    for recorder in [running, late] {
      guard case .failure(.pipelineInvalidated)? = recorder.completions.first else {
        return unexpected(recorder.completions)
      }
    }
    #expect(work.begins == 1)
    #expect(work.stops == 1)
  }

  @Test("Closing a job table fails the jobs of all keys, and leaves none")
  func closingAll() {
    let recorders = ["a", "b", "c", "a"].map { join($0) }
    #expect(table.count == 3 && table.waitingCount == 4)

    table.close(.pipelineInvalidated)

    for recorder in recorders {
      guard case .failure(.pipelineInvalidated)? = recorder.completions.first else {
        return unexpected(recorder.completions)
      }
    }
    #expect(work.begins == 3 && work.stops == 3)
    #expect(table.count == 0 && table.waitingCount == 0)
  }

  @Test("Concurrent subscribing and cancelling loses no value and leaves no job")
  func concurrent() async {
    for _ in 0..<50 {
      let table = JobTable<Int, Parcel>()
      await withTaskGroup { group in
        for index in 0..<8 {
          group.addTask {
            let recorder = table.publisher(index % 2, for: DynamicPriority(.normal)) { _ in
              .task { () throws(ImagePipeline.Error) in Parcel(name: "x") }
            }
            .record()
            if index % 4 == 3 {
              recorder.cancel()
            } else {
              guard case .finished? = await recorder.ended() else { return unexpected(recorder.events) }
              #expect(recorder.values.map(\.name) == ["x"])
            }
          }
        }
      }
      #expect(table.count == 0)
    }
  }
}
