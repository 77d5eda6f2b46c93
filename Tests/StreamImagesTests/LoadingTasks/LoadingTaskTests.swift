import Foundation
import StreamImages
import StreamsExtras
import StreamsFoundationExtras
import StreamsTesting
import Testing

@Suite("`LoadingTask`", .timeLimit(.minutes(20)))
struct LoadingTaskTests {
  private let bench = Bench()

  @Test("A task has a unique ID and reports its status")
  func identity() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let pipeline = bench.pipeline()

    let tasks = [pipeline.imageTask(with: bench.url), pipeline.imageTask(with: bench.url)]
    let response = try await tasks[0].response

    #expect(Set(tasks).count == 2 && tasks[0].id != tasks[1].id)
    #expect(tasks[0].request == ImageRequest(url: bench.url))
    let status = tasks[0].status
    #expect(try status.result?.get().image == response.image)
    #expect(status.progress.fraction == 1 && !status.isCancelled && status.priority == .normal)
    #expect("\(tasks[0])".contains("example.org/a.png"))
  }

  @Test("A task can be cancelled repeatedly, and cancelling has no effect after its end")
  func cancelling() async throws {
    bench.loader.hold(bench.url)
    bench.loader.answer(bench.other, with: try Pictures.png(8, 4))
    let pipeline = bench.pipeline()
    let (held, done) = (pipeline.imageTask(with: bench.url), pipeline.imageTask(with: bench.other))
    await bench.loader.waitForLoad(of: bench.url)
    _ = try await done.image

    for task in [held, done] {
      task.cancel()
      task.cancel()
    }

    #expect(held.isCancelled && !done.isCancelled)
    await until { bench.loader.departures(from: bench.url) == 1 && pipeline.isIdle }
    #expect(try await done.image.width == 8)
  }

  @Test("A task delivers its image to all waiters, and its error typed")
  func waiting() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4), onDemand: true)
    bench.loader.fail(bench.other, with: .connectionLost(.idle, reason: "test"))
    let pipeline = bench.pipeline()
    let task = pipeline.imageTask(with: bench.url)
    async let first = task.image
    async let second = task.response
    await bench.loader.waitForLoad(of: bench.url)

    bench.loader.sendRest(of: bench.url)

    #expect(try await first == second.image)
    #expect(try await task.image.width == 8)
    let error = await pipeline.imageTask(with: bench.other).failure()
    #expect(error?.dataLoadingError == .connectionLost(.idle, reason: "test") && error?.isTransient == true)
  }

  @Test("Cancelling a Swift task that waits for a loading task cancels it")
  func waitingTaskIsCancelled() async {
    bench.loader.hold(bench.url)
    let pipeline = bench.pipeline()
    for isEarly in [true, false] {
      let task = pipeline.imageTask(with: bench.url)
      let waiter = Task {
        if isEarly { withUnsafeCurrentTask { $0?.cancel() } }
        return await task.failure()
      }
      if !isEarly {
        await bench.loader.waitForLoad(of: bench.url)
        waiter.cancel()
      }

      guard case .cancelled? = await waiter.value else { return unexpected("a picture") }
      #expect(task.isCancelled)
    }
  }

  @Test("The progress publisher sends the current progress first, then each change until the end")
  func progress() async throws {
    let bytes = try Pictures.png(8, 4)
    let half = (bytes.count + 1) / 2
    bench.loader.answer(bench.url, with: bytes, inPiecesOf: half, onDemand: true)
    let task = bench.pipeline().imageTask(with: bench.url)
    let first = task.progressPublisher.record()
    await bench.loader.waitForLoad(of: bench.url)
    bench.loader.sendPiece(of: bench.url)
    await until { task.status.progress.completed == half }

    let second = task.progressPublisher.record()
    bench.loader.sendRest(of: bench.url)
    _ = await (first.ended(), second.ended())

    #expect(first.values.map(\.completed) == [0, half, bytes.count])
    #expect(second.values.map(\.completed) == [half, bytes.count])
    #expect(second.values.map(\.fraction).last == 1 && first.values.last?.total == bytes.count)
    var last: LoadProgress?
    for await progress in task.progress { last = progress }
    #expect(last?.completed == bytes.count)
  }

  @Test(
    "The fraction of progress is between 0 and 1, and 0 without a total",
    arguments: [(5, 10, 0.5), (20, 10, 1), (5, nil, 0), (0, 0, 0), (-5, 10, 0)] as [(Int, Int?, Double)])
  func fraction(_ row: (completed: Int, total: Int?, fraction: Double)) {
    #expect(LoadProgress(completed: row.completed, total: row.total).fraction == row.fraction)
  }

  @Test("Events arrive in order, and late subscribers receive the end")
  func events() async throws {
    let bytes = try Pictures.progressiveJPEG()
    bench.loader.answer(bench.url, with: bytes, inPiecesOf: bytes.count / 2 + 1, onDemand: true)
    let pipeline = bench.pipeline { $0.isProgressiveDecodingEnabled = true }
    let task = pipeline.imageTask(with: bench.url)
    let early = task.eventPublisher.record()
    await bench.loader.waitForLoad(of: bench.url)
    bench.loader.sendPiece(of: bench.url)
    await until { task.status.preview != nil }
    bench.loader.sendRest(of: bench.url)
    _ = await early.ended()

    let late = task.eventPublisher.record()
    var awaited: [String] = []
    for await event in task.events { awaited.append(name(event)) }

    #expect(early.values.map(name) == ["progress", "progress", "preview", "progress", "finished"])
    #expect(late.values.map(name) == ["progress", "finished"] && late.completions.count == 1)
    #expect(awaited == ["progress", "finished"])
    for await preview in task.previews { Issue.record("\(preview) after the end") }
  }

  private func name(_ event: ImageTask.Event) -> String {
    switch event {
    case .progress: "progress"
    case .preview: "preview"
    case .finished(.success): "finished"
    case .finished(.failure): "failed"
    }
  }

  @Test("A cancelled task sends a failure event")
  func cancelledEvents() async {
    bench.loader.hold(bench.url)
    let task = bench.pipeline().imageTask(with: bench.url)
    let recorder = task.eventPublisher.record()

    task.cancel()

    #expect(await recorder.ended() == .finished)
    #expect(recorder.values.map(name) == ["progress", "failed"])
  }

  @Test("The completion closure runs once on its scheduler, and never after cancellation")
  func closures() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4), onDemand: true)
    let pipeline = bench.pipeline()
    let queue = DispatchQueue.test
    let calls = Shared<[String]>([])
    let load = {
      pipeline.loadImage(with: bench.url, on: queue.eraseToAnyScheduler()) { _, progress in
        calls.change { $0.append("progress \(progress.fraction)") }
      } completion: { result in
        calls.change { $0.append((try? result.get()) == nil ? "failed" : "finished") }
      }
    }
    let (kept, cancelled) = (load(), load())
    await bench.loader.waitForLoad(of: bench.url)
    bench.loader.sendRest(of: bench.url)
    _ = try await (kept.image, cancelled.image)
    #expect(calls.value == [])
    while calls.value.filter({ $0 == "finished" }).count < 2, !Task.isCancelled { await queue.advance() }

    #expect(calls.value.filter { $0 == "finished" }.count == 2)
    #expect(calls.value.last == "finished" && calls.value.contains("progress 1.0"))

    calls.change { $0 = [] }
    await pipeline.flush()
    await pipeline.cache.removeAll()
    let late = load()
    late.cancel()
    await queue.advance()
    #expect(calls.value == [])
  }

  @Test("A preview is passed to the progress closure, with the progress that there is then")
  func previewClosure() async throws {
    let bytes = try Pictures.progressiveJPEG()
    let piece = bytes.count / 2 + 1
    bench.loader.answer(bench.url, with: bytes, inPiecesOf: piece, onDemand: true)
    let pipeline = bench.pipeline { $0.isProgressiveDecodingEnabled = true }
    let queue = DispatchQueue.test
    let calls = Shared<[String]>([])
    let task = pipeline.loadImage(with: bench.url, on: queue.eraseToAnyScheduler()) { preview, progress in
      calls.change { $0.append("\(preview?.isPreview == true) \(progress.completed)") }
    } completion: { _ in
      calls.change { $0.append("end") }
    }
    await bench.loader.waitForLoad(of: bench.url)
    bench.loader.sendPiece(of: bench.url)
    await until { task.status.preview != nil }

    while calls.value.count < 2, !Task.isCancelled { await queue.advance() }
    #expect(calls.value == ["false \(piece)", "true \(piece)"])
    bench.loader.sendRest(of: bench.url)
    while calls.value.last != "end", !Task.isCancelled { await queue.advance() }
    #expect(calls.value.dropFirst(2) == ["false \(bytes.count)", "end"])
  }

  @Test("Closures that have not been called when a task is cancelled after its end are never called")
  func lateCancellation() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let pipeline = bench.pipeline()
    _ = try await pipeline.image(for: bench.url)
    let queue = DispatchQueue.test
    let calls = Shared<[String]>([])
    let load = {
      pipeline.loadImage(with: bench.url, on: queue.eraseToAnyScheduler()) { _, _ in
        calls.change { $0.append("progress") }
      } completion: { _ in
        calls.change { $0.append("completion") }
      }
    }

    let (kept, cancelled) = (load(), load())
    let data = pipeline.loadData(with: ImageRequest(url: bench.url), on: queue.eraseToAnyScheduler()) { _ in
      calls.change { $0.append("data") }
    }
    _ = try await (kept.image, cancelled.image, data.data)
    cancelled.cancel()
    data.cancel()
    while calls.value.isEmpty, !Task.isCancelled { await queue.advance() }
    await queue.advance()

    #expect(calls.value == ["completion"])
    #expect(try await cancelled.image.width == 8 && !cancelled.isCancelled)
  }

  @Test("Closures receive the data of a task and its progress")
  func dataClosures() async throws {
    let bytes = try Pictures.png(8, 4)
    bench.loader.answer(bench.url, with: bytes)
    let (progress, result) = (Shared<[Int]>([]), Shared<Data?>(nil))

    let task = bench.pipeline().loadData(with: ImageRequest(url: bench.url), on: .immediate) { value in
      progress.change { $0.append(value.completed) }
    } completion: { value in
      result.change { $0 = try? value.get().data }
    }

    #expect(try await task.data == bytes)
    await until { result.value != nil }
    #expect(result.value == bytes && progress.value.last == bytes.count)
  }

  @Test("The event publisher sends progress and then the image")
  func eventPublisher() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    bench.loader.fail(bench.other, with: .headTooLarge)
    let pipeline = bench.pipeline()

    let recorder = pipeline.imageEvents(with: ImageRequest(url: bench.url)).record()
    let failing = pipeline.imageEvents(with: ImageRequest(url: bench.other)).record()

    guard case .finished? = await recorder.ended() else { return unexpected(recorder.events) }
    #expect(recorder.values.map(name).last == "finished" && recorder.values.map(name).first == "progress")
    guard case .failure(.dataLoadingFailed(.headTooLarge))? = await failing.ended() else {
      return unexpected(failing.events)
    }
    #expect(failing.values.isEmpty)
  }

  @Test(
    "A finished task is released, however it ended",
    arguments: [
      "loaded", "memory", "disk", "data", "no URL", "missing", "cached only", "failed", "cancelled",
      "invalidated",
    ])
  func lifetime(way: String) async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    bench.loader.hold(bench.other)
    let pipeline = bench.pipeline()
    if way == "memory" || way == "disk" { _ = try await pipeline.image(for: bench.url) }
    if way == "disk" {
      await pipeline.flush()
      bench.memory.removeAll()
    }
    let lifetimes = Lifetimes()

    do {
      let request: ImageRequest? =
        switch way {
        case "no URL": ImageRequest(url: nil)
        case "missing": nil
        case "cached only": ImageRequest(url: bench.other, options: .returnCacheDataDontLoad)
        case "failed": ImageRequest(url: URL(string: "https://example.org/none"))
        case "cancelled", "invalidated": ImageRequest(url: bench.other)
        default: ImageRequest(url: bench.url)
        }
      if way == "data" {
        let task = lifetimes.track(pipeline.dataTask(with: bench.url))
        _ = try await task.data
      } else {
        let task = lifetimes.track(pipeline.loadImage(with: request, on: .immediate) { _ in })
        let watcher = task.eventPublisher.record()
        if way == "cancelled" { task.cancel() }
        if way == "invalidated" { pipeline.invalidate() }
        _ = await task.failure()
        _ = await watcher.ended()
        watcher.forget()
      }
    }

    await until { pipeline.isIdle && lifetimes.living == [] }
    #expect(lifetimes.living == [])
  }

  @Test("The last priority set on a task takes effect, even with concurrent changes")
  func priorities() async throws {
    bench.loader.hold(bench.url)
    let pipeline = bench.pipeline()
    let task = pipeline.imageTask(with: bench.url)
    let key = try #require(ImageJobKey(task.request))

    await withTaskGroup(of: Void.self) { group in
      for priority in ImageRequest.Priority.allCases {
        group.addTask { for _ in 0..<500 { task.priority = priority } }
      }
    }

    #expect(pipeline.images.priority(of: key) == task.priority)
    task.cancel()
  }

  @Test("Tasks can be started, observed, prioritized and cancelled from many threads")
  func threads() async throws {
    let bytes = try Pictures.png(8, 4)
    bench.loader.answer(bench.url, with: bytes, inPiecesOf: bytes.count / 8)
    let (pipeline, url) = (bench.pipeline(), bench.url)

    let ends = await withTaskGroup(of: Int.self) { group in
      for seed in 0..<64 {
        group.addTask {
          let task = pipeline.imageTask(
            with: ImageRequest(url: url, options: seed.isMultiple(of: 2) ? .reloadIgnoringCachedData : []))
          let events = task.eventPublisher.record()
          task.priority = ImageRequest.Priority.allCases[seed % 5]
          if seed.isMultiple(of: 3) { task.cancel() }
          let wasCancelled = await task.failure()?.isCancellation == true
          _ = await events.ended()
          let ends = events.values.count { if case .finished = $0 { true } else { false } }
          return wasCancelled && !seed.isMultiple(of: 3) ? 0 : ends
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }

    #expect(ends == Array(repeating: 1, count: 64))
    await until { pipeline.isIdle }
  }

  @Test("A task continues without references to it")
  func unheld() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4), onDemand: true)
    let pipeline = bench.pipeline()
    do { _ = pipeline.imageTask(with: bench.url) }
    await bench.loader.waitForLoad(of: bench.url)

    bench.loader.sendRest(of: bench.url)

    await until { !bench.memory.entries.isEmpty }
    #expect(bench.memory.entries.count == 1)
  }
}
