import Foundation
import StreamImages
import StreamsTesting
import Testing

/// When a view has to draw, and when it must not.
@MainActor
@Suite("Changes of `FetchImage`", .timeLimit(.minutes(1)))
struct FetchImageStateTests {
  private let bench = Bench()

  private func wait(_ isSo: () -> Bool) async {
    while !isSo(), !Task.isCancelled { await Task.yield() }
  }

  /// An object, and a function that returns how many changes it has announced since the last call.
  private func watched(_ pipeline: ImagePipeline) -> (FetchImage, changes: () -> Int) {
    let picture = FetchImage(pipeline: pipeline)
    let count = Shared(0)
    let subscription = picture.objectWillChange.sink { _ in count.change { $0 += 1 } }
    return (
      picture,
      {
        withExtendedLifetime(subscription) {
          defer { count.change { $0 = 0 } }
          return count.value
        }
      }
    )
  }

  @Test("Each property is announced once when it changes, and not when it stays the same")
  func announcements() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let (picture, changes) = watched(bench.pipeline())

    picture.cancel()
    picture.reset()
    picture.disappear()
    picture.appear()
    #expect(changes() == 0 && !picture.isLoading && picture.progress == LoadProgress())

    // The load, its progress, the image, the end of the load, and the result.
    picture.load(bench.url)
    #expect(changes() == 1)
    await wait { picture.result != nil }
    #expect(changes() == 4)
    picture.cancel()
    #expect(changes() == 0)
    // The image, the result, and the progress.
    picture.reset()
    #expect(changes() == 3 && picture.result == nil && picture.response == nil)
    // The image and the result, from memory.
    picture.load(bench.url)
    #expect(changes() == 2 && picture.image?.width == 8 && picture.error == nil)
    picture.load(ImageRequest?.none)
    #expect(changes() == 3)
    picture.reset()
    #expect(changes() == 1)
  }

  @Test("A cancelled load announces that it has begun and that it has ended")
  func cancelled() async {
    bench.loader.hold(bench.url)
    let (picture, changes) = watched(bench.pipeline())

    picture.load(bench.url)
    picture.cancel()

    #expect(changes() == 2 && !picture.isLoading)
  }

  @Test("A publisher without an image fails as empty, and one with an image has it as its result")
  func publishers() async throws {
    let (picture, changes) = watched(bench.pipeline())
    let response = ImageResponse(
      request: ImageRequest(url: bench.url), decoded: DecodedImage(try Pictures.gradient(8, 4)))

    picture.load(Empty<ImageResponse, ImagePipeline.Error>())
    guard case .dataIsEmpty? = picture.error else { return unexpected(picture.error) }
    #expect(changes() == 3 && !picture.isLoading)
    picture.load(Just(response).setFailureType(to: ImagePipeline.Error.self))
    #expect(try picture.result?.get().image.width == 8 && picture.image?.width == 8 && !picture.isLoading)

    picture.load(Empty<ImageResponse, ImagePipeline.Error>(completeImmediately: false))
    #expect(picture.image == nil && picture.result == nil && picture.isLoading)
    picture.cancel()
    #expect(!picture.isLoading)
  }

  @Test("A view that appears starts nothing that was not interrupted when it disappeared")
  func appearing() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    bench.loader.hold(bench.other)
    let picture = FetchImage(pipeline: bench.pipeline { $0.imageCache = nil })
    var starts = 0
    picture.onStart = { _ in starts += 1 }

    // It has not disappeared.
    picture.load(bench.other)
    picture.cancel()
    picture.appear()
    #expect(!picture.isLoading && starts == 1)
    // It has appeared already.
    picture.load(bench.other)
    picture.disappear()
    picture.appear()
    #expect(picture.isLoading && starts == 3)
    picture.cancel()
    picture.appear()
    #expect(!picture.isLoading && starts == 3)
    // The load has been given up.
    picture.load(bench.other)
    picture.disappear()
    picture.reset()
    picture.appear()
    #expect(!picture.isLoading && starts == 4)
    // The load has ended.
    picture.load(bench.url)
    await wait { picture.result != nil }
    picture.disappear()
    picture.appear()
    #expect(!picture.isLoading && starts == 5)
  }

  @Test("A request that has ended is loaded again, and one that is being loaded is not")
  func again() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let picture = FetchImage(pipeline: bench.pipeline { $0.imageCache = nil })
    var starts = 0
    picture.onStart = { _ in starts += 1 }

    for count in 1...2 {
      picture.load(bench.url)
      picture.load(bench.url)
      #expect(starts == count)
      await wait { picture.result != nil }
    }
  }

  @Test("Processors and priority apply to requests without their own")
  func settings() {
    bench.loader.hold(bench.url)
    let picture = FetchImage(pipeline: bench.pipeline())
    var tasks: [ImageTask] = []
    picture.onStart = { tasks.append($0) }
    picture.processors = [ScriptedProcessor("a")]

    picture.load(ImageRequest(url: bench.url, processors: [ScriptedProcessor("b")], priority: .low))
    picture.load(ImageRequest(url: bench.url, priority: .low))
    picture.priority = .veryHigh
    picture.load(ImageRequest(url: bench.url, options: .disableDiskCacheWrites))
    picture.reset()

    #expect(
      tasks.map { $0.request.processors.map(\.identifier) } == [
        ["scripted b"], ["scripted a"], ["scripted a"],
      ])
    #expect(tasks.map(\.request.priority) == [.low, .low, .veryHigh])
  }

  @Test("A view without a priority of its own restores that of its request")
  func restoring() {
    bench.loader.hold(bench.url)
    let picture = FetchImage(pipeline: bench.pipeline())
    var task: ImageTask?
    picture.onStart = { task = $0 }
    picture.disappearBehavior = .lowerPriority
    picture.load(ImageRequest(url: bench.url, priority: .high))

    picture.disappear()
    #expect(task?.priority == .veryLow)
    picture.appear()

    #expect(task?.priority == .high)
    picture.reset()
  }
}
