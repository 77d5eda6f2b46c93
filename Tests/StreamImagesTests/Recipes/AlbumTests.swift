import Foundation
import StreamImages
import StreamsTesting
import Testing

@Suite("Album recipes", .timeLimit(.minutes(20)))
struct AlbumTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("A collage contains at most six picked images, and reports their count")
  func collage() throws {
    let images = CurrentValueSubject<[Image], Never>([])
    let picked = PassthroughSubject<Image, Never>()
    let counts = PassthroughSubject<Int, Never>()
    let size = PixelSize(width: 12, height: 8)
    let updates = counts.record()
    let collages = images.handleEvents(receiveOutput: { counts.send($0.count) })
      .map { try? Image.collage(images: $0, size: size) }
      .record()

    let selection = picked.prefix { _ in images.value.count < 6 }.share()
    let subscription = selection.map { images.value + [$0] }.assign(to: \.value, on: images)
    let others = selection.record()
    for index in 0..<8 { picked.send(try Pictures.gradient(4, 4, blue: UInt8(index))) }

    #expect(updates.values == Array(0...6) && images.value.count == 6)
    #expect(collages.values.compactMap(\.?.width) == Array(repeating: 12, count: 7))
    #expect(others.values.count == 6 && others.completions.count == 1)
    subscription.cancel()
    for recorder in [updates] { recorder.cancel() }
    collages.cancel()
  }

  @Test("A collage is saved once, and then cleared")
  func saving() async throws {
    let library = DirectoryLibrary(directory: folder.url)
    let images = CurrentValueSubject<[Image], Never>([try Pictures.gradient(4, 4)])
    let saved = Shared<[String]>([])
    let collage = try Image.collage(images: images.value, size: PixelSize(width: 8, height: 8))

    let future = PhotoWriter.save(collage, to: library, as: .png, named: "Collage")
    let subscription = future.sink { completion in
      if case .finished = completion { images.value = [] }
    } receiveValue: { name in
      saved.change { $0.append(name) }
    }
    await until { images.value.isEmpty }

    #expect(saved.value == ["Collage.png"])
    #expect(try await future.value == "Collage.png")
    #expect(try await library.photos() == ["Collage.png"])
    subscription.cancel()
  }

  @Test(
    "Authorization opens the albums, or shows a message and returns after two seconds",
    arguments: [true, false])
  func authorization(_ isAuthorized: Bool) async {
    let scheduler = VirtualScheduler.virtual
    let library = ScriptedLibrary(isAuthorized ? .success("a") : .failure(.diskFull))
    let steps = PhotoWriter.requestAuthorization(in: library)
      .receive(on: scheduler)
      .flatMap { isAuthorized -> AnyPublisher<String, Never> in
        if isAuthorized { return Just("albums").eraseToAnyPublisher() }
        return Just("back").delay(for: 2, scheduler: scheduler).prepend("not allowed").eraseToAnyPublisher()
      }
    let recorder = steps.record()

    while recorder.values.isEmpty, !Task.isCancelled { await scheduler.advance() }
    let first = recorder.values
    await scheduler.advance(by: 2)

    #expect(first == [isAuthorized ? "albums" : "not allowed"])
    #expect(recorder.values.last == (isAuthorized ? "albums" : "back"))
  }
}
