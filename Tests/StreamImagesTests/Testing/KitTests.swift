import Foundation
import StreamImages
import Testing

@Suite("StreamImagesTesting", .timeLimit(.minutes(20)))
struct KitTests {
  private let loader = ScriptedLoader()
  private let url = URL(string: "https://example.org/a")!

  private func failure(_ load: () async throws(DataLoadingError) -> Void) async -> DataLoadingError? {
    do throws(DataLoadingError) {
      try await load()
      return nil
    } catch {
      return error
    }
  }

  @Test("The scripted loader delivers chunks on demand and counts cancelled loads")
  func pieces() async throws {
    loader.answer(url, with: Data([1, 2, 3]), type: "image/png", inPiecesOf: 2, onDemand: true)

    let loaded = try await loader.load(DataRequest(url: url))
    loader.sendPiece(of: url)
    #expect(try await loaded.body.next() == Data([1, 2]))
    loader.sendRest(of: url)
    #expect(try await loaded.body.next() == Data([3]))
    #expect(try await loaded.body.next() == nil)
    loaded.body.cancel()
    let left = try await loader.load(DataRequest(url: url))
    left.body.cancel()

    #expect(loaded.head.expectedByteCount == 3 && loaded.head.contentType == "image/png")
    #expect(loader.loads(of: url) == 2 && loader.departures(from: url) == 1)
  }

  @Test("The scripted loader fails before the head, after the body, or for unknown URLs")
  func failures() async throws {
    let other = url.appending(path: "b")
    loader.fail(url, with: .headTooLarge)
    loader.answer(other, with: Data([1]), isAnnounced: false, failingWith: .badContentCoding)

    let early = await failure { () throws(DataLoadingError) in
      _ = try await loader.load(DataRequest(url: url))
    }
    let loaded = try await loader.load(DataRequest(url: other))
    let late = await failure { () throws(DataLoadingError) in _ = try await loaded.collect() }
    let unknown = await failure { () throws(DataLoadingError) in
      _ = try await loader.load(DataRequest(url: url.appending(path: "c")))
    }

    #expect(early == .headTooLarge && late == .badContentCoding)
    #expect(unknown == .cannotResolve(host: "example.org") && loaded.head.expectedByteCount == nil)
  }

  @Test("The scripted loader ends a held load when its task is cancelled")
  func holding() async {
    loader.hold(url)
    let task = Task { [loader, url] in
      do throws(DataLoadingError) {
        _ = try await loader.load(DataRequest(url: url))
        return DataLoadingError?.none
      } catch {
        return error
      }
    }
    await loader.waitForLoad(of: url)

    task.cancel()

    #expect(await task.value == .cancelled && loader.departures(from: url) == 1)
  }

  @Test("Generated images have the requested size, format and content")
  func pictures() throws {
    #expect(try ImageDecoder.decode([UInt8](Pictures.png(7, 5))) == Pictures.gradient(7, 5))
    #expect(
      try Pictures.noise(8, 8) == Pictures.noise(8, 8)
        && Pictures.noise(8, 8) != Pictures.noise(8, 8, seed: 2))
    #expect(try ImageDecoder.info(of: [UInt8](Pictures.progressiveJPEG())).isProgressive)
    #expect(try !ImageDecoder.info(of: [UInt8](Pictures.jpeg())).isProgressive)
    #expect(try Pictures.gradient(2, 2, alpha: 9).pixel(x: 1, y: 1)?.alpha == 9)
  }

  @Test("A latch opens after the given count, for all waiters, and stays open")
  func latch() async {
    let latch = Latch(2)
    let passed = Shared(0)
    let tasks = (0..<3).map { _ in
      Task {
        await latch.wait()
        passed.change { $0 += 1 }
      }
    }

    latch.open()
    #expect(!latch.isOpen && passed.value == 0)
    latch.open()
    for task in tasks { await task.value }
    await latch.wait()

    #expect(latch.isOpen && passed.value == 3)
  }
}
