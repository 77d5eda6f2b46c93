import Foundation
import Interleavings
@testable import StreamImages

/// A body between a transfer, which the scenario drives, and its consumers.
private final class Body: @unchecked Sendable {  // fibers share one thread
  let loop: CurlLoop
  let pipe: BodyPipe
  /// What consumers received, in order.
  private(set) var received: [UInt8] = []
  private(set) var endings = 0
  private(set) var errors: [DataLoadingError] = []
  private(set) var heads = 0

  init(bufferedByteCount: Int = 100) {
    loop = CurlLoop(CurlLoader.Configuration())!
    // Without a thread, nobody would take the commands.
    if !TaskFibers.shared.hasServants { loop.stop() }
    pipe = BodyPipe(of: loop, bufferedByteCount: bufferedByteCount)
  }

  func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { _ = pipe.append($0) } }

  func head() async {
    do throws(DataLoadingError) {
      _ = try await pipe.head()
      heads += 1
    } catch {
      errors.append(error)
    }
  }

  func add(_ error: DataLoadingError) { errors.append(error) }

  /// The body that a loop has begun.
  private var current: BodyPipe?
  private let hasBegun = Signal()

  /// Reads a body of a loop, with its head.
  func consume(_ pipe: BodyPipe) async {
    current = pipe
    hasBegun.set()
    do throws(DataLoadingError) {
      _ = try await pipe.head()
    } catch {
      return errors.append(error)
    }
    await read(pipe)
  }

  func cancelCurrent() {
    hasBegun.wait()
    current?.cancel()
    current = nil
  }

  func read() async { await read(pipe) }

  /// Reads to the end.
  private func read(_ pipe: BodyPipe) async {
    do throws(DataLoadingError) {
      while let data = try await pipe.next() {
        if data.isEmpty { Explorer.shared.fail("B1: an empty chunk") }
        received += data
      }
      endings += 1
    } catch {
      errors.append(error)
    }
  }

  func whole() async {
    do throws(DataLoadingError) {
      received += try await pipe.whole().body
      endings += 1
    } catch {
      errors.append(error)
    }
  }
}

extension ImageScenario {
  /// Bytes arrive in order and once, whoever waits is resumed, and a cancellation ends both sides.
  static var bodies: [ImageScenario] { pipes + loops + chunks }

  private static func pipe(
    _ name: String, bufferedByteCount: Int = 100, _ make: @escaping (Play, Body) -> (() -> String?)
  ) -> ImageScenario {
    ImageScenario("BodyPipe: \(name)") { play in
      let body = Body(bufferedByteCount: bufferedByteCount)
      return make(play, body)
    }
  }

  private static func transfer(
    _ play: Play, _ body: Body, _ chunks: [[UInt8]], failure: DataLoadingError? = nil, head: Bool = true
  ) {
    play.thread {
      if head {
        body.pipe.deliver(LoadedHead())
        _ = body.pipe.flush()
      }
      for chunk in chunks {
        body.append(chunk)
        _ = body.pipe.flush()
      }
      body.pipe.finish(failure)
    }
  }

  private static var pipes: [ImageScenario] {
    [
      pipe("head, bytes and end") { play, body in
        transfer(play, body, [[1], [2, 3]])
        play.task {
          await body.head()
          await body.read()
        }
        return {
          body.received == [1, 2, 3] && body.endings == 1 && body.heads == 1 ? nil : "B2: \(body.received)"
        }
      },
      pipe("the whole body") { play, body in
        transfer(play, body, [[1], [2]])
        play.task { await body.whole() }
        return { body.received == [1, 2] && body.endings == 1 ? nil : "B2: \(body.received)" }
      },
      pipe("bytes, then a failure") { play, body in
        transfer(play, body, [[1]], failure: .protocolViolation("x"))
        play.task { await body.read() }
        return {
          body.received == [1] && body.errors == [.protocolViolation("x")]
            ? nil : "B2: \(body.received) \(body.errors)"
        }
      },
      pipe("it ends without a head") { play, body in
        transfer(play, body, [], head: false)
        play.task { await body.head() }
        return { body.errors.count == 1 && body.heads == 0 ? nil : "B3: \(body.heads) heads" }
      },
      pipe("two consumers wait for bytes") { play, body in
        transfer(play, body, [[1], [2]])
        for _ in 0..<2 { play.task { await body.read() } }
        return {
          body.received.sorted() == [1, 2] && body.endings == 2
            ? nil : "B2: \(body.received), \(body.endings)"
        }
      },
      pipe("cancelled while bytes arrive") { play, body in
        transfer(play, body, [[1], [2]])
        play.task { await body.read() }
        play.thread { body.pipe.cancel() }
        return {
          [[], [1], [1, 2]].contains(body.received) && body.endings + body.errors.count == 1
            ? nil : "B2: \(body.received)"
        }
      },
      pipe("the task is cancelled while it waits for bytes") { play, body in
        transfer(play, body, [[1]])
        let task = play.task { await body.read() }
        play.thread { task.cancel() }
        return {
          [[], [1]].contains(body.received) && body.endings + body.errors.count == 1
            ? nil : "B2: \(body.received)"
        }
      },
      pipe("the task is cancelled while it waits for the head") { play, body in
        transfer(play, body, [])
        let task = play.task { await body.head() }
        play.thread { task.cancel() }
        return { body.heads + body.errors.count == 1 ? nil : "B3: \(body.heads) heads, \(body.errors)" }
      },
      pipe("the task is cancelled while it waits for the whole") { play, body in
        transfer(play, body, [[1]])
        let task = play.task { await body.whole() }
        play.thread { task.cancel() }
        return { body.endings + body.errors.count == 1 ? nil : "B3: \(body.errors)" }
      },
      pipe("cancelled by two threads while two wait") { play, body in
        for _ in 0..<2 { play.task { await body.read() } }
        for _ in 0..<2 { play.thread { body.pipe.cancel() } }
        return { body.errors == [.cancelled, .cancelled] ? nil : "B3: \(body.errors)" }
      },
      pipe("cancelled and finished at the same time") { play, body in
        play.task { await body.read() }
        play.thread { body.pipe.cancel() }
        play.thread { body.pipe.finish(nil) }
        return { body.errors.count + body.endings == 1 ? nil : "B3: \(body.errors)" }
      },
    ]
  }

  private static func loop(
    _ name: String, chunks: [[UInt8]], bufferedByteCount: Int = 100, failure: DataLoadingError? = nil,
    _ make: @escaping (Play, CurlLoop, Body) -> (() -> String?)
  ) -> ImageScenario {
    ImageScenario("CurlLoop: \(name)", servants: 1) { play in
      let body = Body()
      let loop = body.loop
      play.task {
        defer { loop.stop() }
        do throws(DataLoadingError) {
          let pipe = try loop.start(
            RedirectChain(chunks, failure: failure), bufferedByteCount: bufferedByteCount)
          await body.consume(pipe)
        } catch {
          body.add(error)
        }
      }
      return make(play, loop, body)
    }
  }

  /// The loop's own thread, its commands and its end.
  private static var loops: [ImageScenario] {
    [
      loop("a load", chunks: [[1], [2, 3]]) { _, _, body in
        { body.received == [1, 2, 3] && body.endings == 1 ? nil : "B2: \(body.received) \(body.errors)" }
      },
      // The transfer is paused after each chunk, and goes on only when its consumer has made room.
      loop("a load without room", chunks: [[1], [2], [3]], bufferedByteCount: 1) { _, _, body in
        { body.received == [1, 2, 3] && body.endings == 1 ? nil : "B4: \(body.received) \(body.errors)" }
      },
      loop("a load that fails", chunks: [[1]], failure: .headTooLarge) { _, _, body in
        {
          body.received == [1] && body.errors == [.headTooLarge] ? nil : "B2: \(body.received) \(body.errors)"
        }
      },
      loop("stopped while a load begins", chunks: [[1]]) { play, loop, body in
        play.thread { loop.stop() }
        return {
          let isDone = body.received == [1] && body.endings == 1
          return isDone || body.errors == [.invalidated] ? nil : "B5: \(body.received) \(body.errors)"
        }
      },
      loop("cancelled without room", chunks: [[1], [2]], bufferedByteCount: 1) { play, loop, body in
        play.thread { body.cancelCurrent() }
        return { body.endings + body.errors.count == 1 ? nil : "B3: \(body.received) \(body.errors)" }
      },
      // Its jobs run on the loop's thread, and elsewhere once that has ended.
      ImageScenario("CurlLoop: a task prefers it, and it stops", servants: 1) { play in
        let loop = CurlLoop(CurlLoader.Configuration())!
        let log = Log<Int>()
        play.task {
          await withTaskExecutorPreference(loop) {
            log.add(1)
            await withCheckedContinuation { $0.resume() }
          }
          log.add(2)
        }
        play.thread { loop.stop() }
        return { log.entries == [1, 2] ? nil : "B5: \(log.entries)" }
      },
    ]
  }

  private static var chunks: [ImageScenario] {
    [
      ImageScenario("BufferedChunks: read by two") { play in
        let chunks = BufferedChunks(Data([1]))
        let log = Log<Data?>()
        for _ in 0..<2 { play.task { log.add(try? await chunks.next()) } }
        return { log.entries.compactMap { $0 } == [Data([1])] ? nil : "B2: \(log.entries)" }
      },
      ImageScenario("BufferedChunks: read, cancelled and a cancelled task") { play in
        let chunks = BufferedChunks(Data([1]))
        let log = Log<Int>()
        let task = play.task {
          do throws(DataLoadingError) {
            var count = 0
            while let data = try await chunks.next() { count += data.count }
            log.add(count)
          } catch {
            log.add(-1)
          }
        }
        play.thread { chunks.cancel() }
        play.thread { task.cancel() }
        return { [[-1], [1]].contains(log.entries) ? nil : "B3: \(log.entries)" }
      },
      // A body is stored whole, or not at all.
      ImageScenario("RecordedChunks: cancelled while it is read") { play in
        let body = Body()
        let kept = Log<Data>()
        let chunks = RecordedChunks(Piped(body.pipe), limit: 100) { kept.add($0) }
        transfer(play, body, [[1], [2]])
        play.task { while let data = try? await chunks.next() { _ = data } }
        play.thread { chunks.cancel() }
        return {
          kept.entries.allSatisfy { $0 == Data([1, 2]) } && kept.entries.count <= 1
            ? nil : "B6: \(kept.entries)"
        }
      },
      // What was received of a body that breaks off is given back once.
      ImageScenario("ResumedChunks: cancelled while it breaks off") { play in
        let body = Body()
        let kept = Log<Data>()
        let chunks = ResumedChunks(Piped(body.pipe), after: Data([0]), limit: 100, keptByteCount: 100) {
          kept.add($0)
        }
        transfer(play, body, [[1]], failure: .lost)
        play.task { while let data = try? await chunks.next() { _ = data } }
        play.thread { chunks.cancel() }
        return {
          if kept.entries.count != 1 { return "B6: given back \(kept.entries.count) times" }
          return [Data([0]), Data([0, 1])].contains(kept.entries[0]) ? nil : "B6: \(Array(kept.entries[0]))"
        }
      },
    ]
  }
}

/// A pipe as a body.
private final class Piped: DataChunks {
  private let pipe: BodyPipe

  init(_ pipe: BodyPipe) { self.pipe = pipe }

  func next() async throws(DataLoadingError) -> Data? { try await pipe.next() }
  func cancel() { pipe.cancel() }
}
