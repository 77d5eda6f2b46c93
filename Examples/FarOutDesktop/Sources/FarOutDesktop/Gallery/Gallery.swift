import Foundation
import StreamImages

/// The images: where they are, and the pipeline they go through.
final class Gallery: Sendable {
  /// Of a thumbnail, in pixels: as large as it is shown, so that GTK has nothing to scale.
  static let cell = PixelSize(width: 196, height: 130)

  /// Of an image in the bar of the picker, in pixels.
  static let tile = PixelSize(width: 96, height: 64)

  let pipeline: ImagePipeline
  let memory: ImageCache
  let disk: DataCache
  let traffic = Traffic()
  let decoder = WatchedDecoder()
  private let address: URL

  init(at address: URL, disk: DataCache, memoryLimit: Int) {
    self.address = address
    self.disk = disk
    let memory = ImageCache(costLimit: memoryLimit)
    self.memory = memory
    // On this machine, a proxy would look for 127.0.0.1 on its own.
    var network = CurlLoader.Configuration()
    network.proxy = .none
    pipeline = ImagePipeline { [traffic, decoder] in
      $0.dataLoader = SchemeLoader(network: CurlLoader(network))
      $0.dataCache = disk
      $0.dataCachePolicy = .storeOriginalData
      $0.imageCache = memory
      $0.decoders = [decoder]
      $0.delegate = traffic
      // The images are small. What is under way is, too.
      $0.loadingWidth = 32
      $0.loadedByteBudget = 8 << 20
      $0.storingByteBudget = 8 << 20
      $0.recentByteLimit = 0
      $0.decodingByteBudget = 16 << 20
      // One of two processors is left to the window.
      $0.decodingWidth = max(1, ProcessInfo.processInfo.activeProcessorCount - 1)
    }
  }

  /// The list of what there is.
  var photos: AnyPublisher<[Photo], any Error> {
    var request = ImageRequest(url: address.appending(path: "photos.json"))
    request.options.insert(.disableDiskCache)
    return pipeline.dataPublisher(with: request)
      .map(\.data)
      .decode(type: [Photo].self, decoder: JSONDecoder())
      .eraseToAnyPublisher()
  }

  /// For a cell of the grid.
  func thumbnail(of photo: Photo) -> ImageRequest { small(photo, Self.cell) }

  /// For the bar of what is picked.
  func tile(of photo: Photo) -> ImageRequest { small(photo, Self.tile) }

  private func small(_ photo: Photo, _ size: PixelSize) -> ImageRequest {
    var request = small(photo)
    request.processors = [
      .resize(size: CGSize(width: size.width, height: size.height), contentMode: .aspectFill, crop: true)
    ]
    return request
  }

  /// 324 to 540 pixels wide.
  func small(_ photo: Photo) -> ImageRequest { request("small", photo) }

  /// 1 200 to 2 000 pixels wide.
  func large(_ photo: Photo) -> ImageRequest { request("large", photo) }

  private func request(_ folder: String, _ photo: Photo) -> ImageRequest {
    var request = ImageRequest(url: address.appending(path: "\(folder)/\(photo.number).jpg"))
    // The server has another port each time, and the same images.
    request.imageID = "\(folder) \(photo.number)"
    return request
  }
}
