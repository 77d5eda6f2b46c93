import Foundation
import StreamImages

/// The code in the comments of the reference: it compiles, line by line. Nothing is run.
private struct ImagesInTheReference {
  func animationReaderCode() async throws {
    let bytes: [UInt8] = []
    func show(_: Image, for _: Duration) {}
    let reader = try AnimationReader(bytes)
    while let frame = try reader.next() {
      show(frame.image, for: frame.duration)
    }
  }

  func jPEGWriterCode() async throws {
    var file: [UInt8] = []
    func paint(_: Int, into _: UnsafeMutableRawBufferPointer) {}
    try JPEGWriter(width: 12_000, height: 9_000, pixelFormat: .rgb8).write { y, row in
      paint(y, into: row)
    } output: { bytes in
      file.append(contentsOf: bytes)
    }
    _ = file
  }

  func colorMatrixCode() async throws {
    let image = try Image(width: 1, height: 1, pixelFormat: .rgb8)
    let paler = try image.recolored(by: .saturation(0.5).then(.brightness(0.1)))
    _ = paler
  }

  func imageCode() async throws {
    let bytes: [UInt8] = []
    let photograph = try ImageDecoder.decode(bytes)
    let thumbnail = try photograph.resized(to: .fitting(320))
    let file = try ImageEncoder.encode(thumbnail, as: .jpeg(quality: 0.8))
    _ = file
  }

  func imageMetadataCode() throws {
    let bytes: [UInt8] = []
    let metadata = try ImageMetadata(of: bytes)
    print(metadata.camera.model ?? "", metadata.taken?.description ?? "", metadata.keywords)
    let small = try ImageDecoder.decode(bytes).resized(to: .fitting(320))
    let copy = try ImageEncoder.encode(small, as: .jpeg(), keeping: .copyright, of: metadata)
    _ = copy
  }

  func hTTPCacheCode() async throws {
    var configuration = ImagePipeline.Configuration()
    configuration.dataLoader = SchemeLoader(network: HTTPCache(CurlLoader.shared))
    configuration.dataCache = nil
    _ = configuration
  }

  func imagePipelineCode() async throws {
    let url = URL(string: "https://photos.example/1")
    func show(_: Image) {}
    func report(_: any Error) {}
    let request = ImageRequest(url: url, processors: [.resize(width: 320)])
    let subscription = ImagePipeline.shared.imagePublisher(with: request)
      .sink { completion in
        if case .failure(let error) = completion { report(error) }
      } receiveValue: { response in
        show(response.image)
      }
    subscription.cancel()
  }

  func dataLoadingMiddlewareCode() async throws {
    let signing = RequestMiddleware { _ in }
    let loader = CurlLoader.shared.with(RetryMiddleware(), signing)
    _ = loader
  }

  func networkConditionsCode() async throws {
    struct Settings: NetworkConditions {
      let isConstrained = false
      let isExpensive = false
    }
    let settings = Settings()
    let loader = CurlLoader.shared.with(NetworkConditionsMiddleware(settings))
    _ = loader
  }

  func schemeLoaderCode() async throws {
    let loader = SchemeLoader(file: nil)
    _ = loader
  }

  func imagePrefetcherCode() async throws {
    let pipeline = ImagePipeline.shared
    let urlsOfTheNextPage: [URL] = []
    let prefetcher = ImagePrefetcher(pipeline: pipeline)
    prefetcher.start(with: urlsOfTheNextPage)
  }

  func namedFiltersCode() async throws {
    let url = URL(string: "https://photos.example/1")
    NamedFilters.shared.register("soft") { image, parameters in
      try image.blurred(radius: parameters["radius"] ?? 2)
    }
    let request = ImageRequest(url: url, processors: [.filter("soft", ["radius": 3])])
    _ = request
  }

  func activityTrackerCode() async throws {
    final class Indicator { var isVisible = false }
    let indicator = Indicator()
    let pipeline = ImagePipeline.shared
    let url = URL(filePath: "/1.png")
    let activity = ActivityTracker()
    let subscription = activity.isActive.sink { indicator.isVisible = $0 }
    let images = pipeline.imagePublisher(with: url).trackActivity(activity)
    subscription.cancel()
    _ = images
  }

  func imageRequestCode() async throws {
    let url = URL(string: "https://photos.example/1")
    let request = ImageRequest(url: url, processors: [.resize(width: 320)])
    _ = request
  }

  func imageRequestBuilderCode() async throws {
    let pipeline = ImagePipeline.shared
    let url = URL(string: "https://photos.example/1")
    let image = try await pipeline.image(with: url).resize(width: 320).circle().priority(.high).load()
    _ = image
  }

  func integrityCode() async throws {
    var request = ImageRequest(url: nil)
    request.integrity = Integrity("sha256-n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=")
    _ = request
  }

  @MainActor
  func fetchImageCode() async throws {
    final class View {
      var subscription: AnyCancellable?
      func setNeedsDisplay() {}
    }
    let view = View()
    let url = URL(string: "https://photos.example/1")
    let image = FetchImage()
    image.load(url)
    view.subscription = image.objectWillChange.sink { view.setNeedsDisplay() }
  }

  func loadingTaskCode() async throws {
    let pipeline = ImagePipeline.shared
    let url = URL(filePath: "/1.png")
    func show(_: Double?) {}
    let task = pipeline.imageTask(with: url)
    for await progress in task.progress { show(progress.fraction) }
    let image = try await task.image
    _ = image
  }

  func photoWriterCode() async throws {
    let collage = try Image(width: 1, height: 1, pixelFormat: .rgb8)
    var lastSaved = ""
    var subscriptions: Set<AnyCancellable> = []
    PhotoWriter.save(collage)
      .sink { _ in
      } receiveValue: { identifier in
        lastSaved = identifier
      }
      .store(in: &subscriptions)
    _ = lastSaved
  }
}
