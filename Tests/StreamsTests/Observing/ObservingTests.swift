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

@Suite("`Publishers.observing(willSet:)`", .leavesNothing)
struct WillSetTests {
  @Test(
    "`observing(willSet:)` sends before each change of a tracked property, with or without SPI",
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

  @Test(
    "`observing(willSet:)` does not deepen the stack with each change, with or without SPI",
    arguments: [true, false])
  func stack(tracksAfterChange: Bool) {
    let frame = Frame()
    let places = Guarded<[Int]>([])
    let signals = ObservationSignals(home: nil, tracksAfterChange: tracksAfterChange) {
      withUnsafeBytes(of: frame.width) { here in
        places.withLock { $0.append(Int(bitPattern: here.baseAddress)) }
      }
    }
    let sink = signals.sink {}

    for width in 1...1000 { frame.width = width }

    let afterChanges = places.withLock { $0 }.dropFirst()
    #expect(afterChanges.count >= 1000)
    #expect(afterChanges.first == afterChanges.last)
    sink.cancel()
  }

  @Test("`observing(willSet:)` tracks the newly read properties after each change")
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

  @Test("Without SPI, `observing(willSet:)` tracks newly read properties one change late")
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

  @Test("`observing(willSet:)` sends within demand, also for changes that its subscriber makes")
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

  @Test("`observing(willSet:)` sends to each subscriber separately, and to none that has cancelled")
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

  @Test("`observing(willSet:)` leaks nothing, cancelled or not", arguments: [true, false])
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

  @Test("`observing(willSet:)` tracks properties of a model on the main actor")
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

  @Test("`observing(willSet:)` starts on the main actor for a subscriber on another thread")
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

  @Test("`observing(willSet:)` sends for every successive change by different threads")
  func threads() {
    let frame = Frame()
    let recorder = Publishers.observing(willSet: { frame.width }).record()

    for value in 0..<10 { elsewhere { frame.width = value } }

    #expect(recorder.values.count == 10)
  }
}

#if compiler(>=6.2)
  @Suite("`Publishers.observing`", .leavesNothing)
  struct ObservingTests {
    @Test("`observing` sends the current value, then one value for all changes made together")
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

    @Test("`observing` keeps only the latest value for a subscriber without demand")
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

    @Test("`observing` can read a model that is not `Sendable` on the main actor")
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

    @Test("`observing` fails with the typed error of its closure")
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
