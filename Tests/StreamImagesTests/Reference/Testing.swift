import Foundation
import LoopbackServer
import StreamImages
import StreamImagesTesting
import StreamsTesting
import Testing

/// The code in the comments of the reference: it compiles, line by line. Nothing is run.
private struct TestingInTheReference {
  func loopbackServerCode() async throws {
    let photo = Data()
    let loader = CurlLoader.shared
    let server = try LoopbackServer()
    server.serve("/photo.jpg", .bytes(photo, type: "image/jpeg"))
    let (head, body) = try await loader.data(for: DataRequest(url: server.url("/photo.jpg")))
    server.stop()
    _ = (head, body)
  }

  func latchCode() async throws {
    let latch = Latch()
    let decoder = ScriptedDecoder { _ in latch.open() }
    await latch.wait()  // decoding has begun
    _ = decoder
  }

  func scriptedLoaderCode() async throws {
    let pipeline = ImagePipeline.shared
    let url = URL(filePath: "/1.png")
    let bytes = Data()
    let loader = ScriptedLoader()
    loader.answer(url, with: bytes, inPiecesOf: 100, onDemand: true)
    let task = pipeline.imageTask(with: url)
    await loader.waitForLoad(of: url)
    loader.sendPiece(of: url)
    _ = task
  }

  func belongingsCode() async throws {
    let subject = PassthroughSubject<Int, Never>()
    Lifetimes.endingWhatIsLeft {
      let recorder = subject.map { $0 + 1 }.record()
      subject.send(1)
      #expect(recorder.values == [2])
    }
  }

  func journalCode() async throws {
    let journal = Journal()
    let script = Script(Int.self, failure: Never.self, journal: journal)
    let recorder = script.prefix { $0 < 2 }.record { $0.journal = journal }
    script.say(2)
    print(journal.lines)  // …, "upstream: cancel", "downstream: finished"
    recorder.cancel()
  }

  func checkLawsCode() async throws {
    let report = checkLaws(exempt: [.h28: "its upstream counts demand"]) { upstream in upstream.scan(0, +) }
    #expect(report.violations.isEmpty, "\(report)")
  }

  func checkLaws2Code() async throws {
    let report = checkLaws(assembling: {
      $0.upstream().zip($0.upstream(saying: ["a", "b"])) { "\($0)\($1)" }
    })
    _ = report
  }

  func lifetimesCode() async throws {
    let subject = PassthroughSubject<Int, Never>()
    let leaked = Lifetimes.leaks { lifetimes in
      let probe = lifetimes.probe("the closure of map")
      subject.map { [probe] in $0 + probe.name.count }.record().cancel()
    }
    #expect(leaked.isEmpty)
  }

  func marbleRecordingCode() async throws {
    let scheduler = VirtualScheduler.virtual
    let letters = try Marble("a--b|").publisher(on: scheduler)
    let digits = try Marble("-1-2-|").publisher(on: scheduler)
    #expect(scheduler.diagram(of: letters.merge(with: digits)) == "a1-(b2)-|")
  }

  func marbleCode() async throws {
    let seen = try Marble("ab--[last]|").play { upstream, scheduler in
      upstream.delay(for: 2, scheduler: scheduler)
    }
    #expect(seen == "--ab--[last]|")
  }

  func stepVerifierCode() async throws {
    let numbers = (1...3).publisher
    let wrong = numbers.steps(demand: .max(2)).expectNext(1, 2).thenRequest(.max(1)).expectNext(3)
      .expectFinished().verify()
    #expect(wrong == [])
  }
}
