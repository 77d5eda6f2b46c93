import Observation
import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Observable
private final class Frame: @unchecked Sendable {  // the tests change it from one place at a time
  var width = 2
  var height = 3
  var title = ""
}

@Observable @MainActor
private final class Album {
  var photos = 1
  var videos = 10
}

@Observable
private final class Note {
  var text = "a"
}

@Suite("observing(willSet:)", .leavesNothing)
struct WillSetTests {
  @Test(
    "Publishers.observing(willSet:) signals before each change of what was read, with and without the library's SPI",
    arguments: [true, false])
  func signals(tracksAfterChange: Bool) {
    let frame = Frame()
    var seen: [Int] = []
    let signals = ObservationSignals(home: nil, tracksAfterChange: tracksAfterChange) {
      _ = frame.width * frame.height
    }
    let sink = signals.sink { seen.append(frame.width * frame.height) }

    frame.width = 4
    frame.height = 5
    frame.title = "unread"
    frame.width = 6

    #expect(seen == [6, 12, 20])
    sink.cancel()
  }

  @Test("reads anew what matters after each change")
  func branches() {
    let frame = Frame()
    let recorder = Publishers.observing(willSet: { frame.title.isEmpty ? frame.width : frame.height })
      .record()

    frame.height = 1
    frame.width = 1
    let first = recorder.values.count
    frame.title = "b"
    frame.width = 2

    #expect(first == 1)
    #expect(recorder.values.count == 2)
  }

  @Test("Without the library's SPI, what is read only after a change is noticed one change late")
  func branchesWithoutSPI() {
    let frame = Frame()
    let signals = ObservationSignals(home: nil, tracksAfterChange: false) {
      _ = frame.title.isEmpty ? frame.width : frame.height
    }
    let recorder = signals.record()

    frame.title = "b"
    frame.height = 1
    let missed = recorder.values.count
    frame.width = 7
    frame.height = 2

    #expect(missed == 1)
    #expect(recorder.values.count == 3)
  }

  @Test("signals within demand, and a change that a subscriber makes, too")
  func demand() {
    let frame = Frame()
    let recorder = Publishers.observing(willSet: { (frame.width, frame.height) }).record(demand: .max(2)) {
      $0.onValue = { recorder, _ in if recorder.values.count == 1 { frame.height += 1 } }
    }

    frame.width = 1
    frame.width = 2
    let within = recorder.values.count
    recorder.request(.max(1))
    frame.width = 3

    #expect(within == 2)
    #expect(recorder.values.count == 3)
    #expect("\(recorder.subscriptions[0])" == "Observing")
  }

  @Test("signals each subscriber for itself, and none that has cancelled")
  func cancelled() {
    let frame = Frame()
    let publisher = Publishers.observing(willSet: { frame.width })
    let (leaving, staying) = (publisher.record(), publisher.record())

    frame.width = 1
    leaving.cancel()
    frame.width = 2

    #expect(leaving.values.count == 1)
    #expect(staying.values.count == 2)
  }

  @Test("leaves nothing behind, cancelled or not", arguments: [true, false])
  func lifetimes(isCancelled: Bool) {
    let leaked = Lifetimes.leaks { lifetimes in
      let frame = lifetimes.track(Frame(), as: "frame")
      let recorder = Publishers.observing(willSet: { frame.width }).record()
      lifetimes.track(recorder, as: "recorder")
      frame.width = 1
      if isCancelled { recorder.cancel() } else { recorder.forget() }
    }

    #expect(leaked.isEmpty)
  }

  @Test("reads on the main actor what belongs there")
  @MainActor
  func mainActor() {
    let album = Album()
    var signals = 0
    let sink = Publishers.observing(willSet: { album.photos }).sink { signals += 1 }

    album.photos = 2
    album.videos = 11
    album.photos = 3

    #expect(signals == 2)
    sink.cancel()
  }

  @Test("begins on the main actor, as soon as that is free, for a subscriber from elsewhere")
  func elsewhereSubscribed() async {
    let album = await Album()
    let recorder = await publisher(of: album).record()

    repeat { await change(album) } while recorder.values.isEmpty
    let before = recorder.values.count
    await change(album)

    #expect(recorder.values.count == before + 1)
  }

  @MainActor
  private func publisher(of album: Album) -> some Publisher<Void, Never> & Sendable {
    Publishers.observing(willSet: { album.photos })
  }

  @MainActor
  private func change(_ album: Album) { album.photos += 1 }

  @Test("signals every change that threads make one after another")
  func threads() {
    let frame = Frame()
    let recorder = Publishers.observing(willSet: { frame.width }).record()

    for value in 0..<10 { elsewhere { frame.width = value } }

    #expect(recorder.values.count == 10)
  }
}

#if compiler(>=6.2)
  @Suite("observing", .leavesNothing)
  struct ObservingTests {
    @Test("sends what it reads now, then once for all that changes together")
    @MainActor
    func transactions() async {
      let album = Album()
      let recorder = Publishers.observing { album.photos + album.videos }.record()

      _ = await recorder.received(1)
      album.photos = 2
      album.videos = 20
      _ = await recorder.received(2)
      album.photos = 3
      _ = await recorder.received(3)

      #expect(recorder.values == [11, 22, 23])
      recorder.cancel()
    }

    @Test("gives the latest to one who has not asked meanwhile")
    @MainActor
    func demand() async {
      let album = Album()
      let recorder = Publishers.observing { album.photos }.record(demand: .max(1))

      _ = await recorder.received(1)
      album.photos = 2
      await Task.yield()
      album.photos = 3
      recorder.request(.max(1))
      _ = await recorder.received(2)

      #expect(recorder.values == [1, 3])
      recorder.cancel()
    }

    @Test("observes a model that is not Sendable, where the closure belongs to the main actor")
    @MainActor
    func notSendable() async {
      let note = Note()
      let recorder = Publishers.observing { note.text }.record()
      let before = Publishers.observing(willSet: { note.text }).record()

      _ = await recorder.received(1)
      note.text = "b"
      _ = await recorder.received(2)

      #expect(recorder.values == ["a", "b"])
      #expect(before.values.count == 1)
      recorder.cancel()
      before.cancel()
    }

    @Test("fails with what the closure throws, typed")
    @MainActor
    func failure() async {
      enum Empty: Error { case album }
      let album = Album()
      let recorder = Publishers.observing { () throws(Empty) in
        if album.photos == 0 { throw .album }
        return album.photos
      }.record()

      _ = await recorder.received(1)
      album.photos = 0

      #expect(await recorder.ended() == .failure(.album))
    }
  }
#endif
