import Foundation
import StreamImages

/// One image in large: first as it is there quickly, then as it is best.
@MainActor
final class DetailModel: ObservableObject {
  enum State: Equatable {
    case closed
    case loading
    /// In low resolution; better is to come.
    case low
    case high
    case failed(String)
  }

  @Published private(set) var photo: Photo?
  @Published private(set) var state = State.closed
  /// What is to be shown, and how it comes.
  let displays = PassthroughSubject<ImageDisplay, Never>()

  private let gallery: Gallery
  private var load: AnyCancellable?

  init(_ gallery: Gallery) { self.gallery = gallery }

  func show(_ photo: Photo) {
    self.photo = photo
    start(photo)
  }

  func retry() {
    if let photo { start(photo) }
  }

  func close() {
    load = nil
    state = .closed
    photo = nil
  }

  private func start(_ photo: Photo) {
    state = .loading
    // The list has the placeholder. The thumbnail is in memory already; the small image has more, and its bytes are on disk.
    load = gallery.pipeline.lowThenHigh(gallery.small(photo), gallery.large(photo))
      .prependingPlaceholder(try? photo.thumbHash.image(), of: gallery.small(photo))
      .sink { [weak self] completion in
        guard let self, case .failure(let error) = completion else { return }
        state = .failed("\(error)")
        displays.send(ImageDisplay(image: Artwork.failure, role: .failure, contentMode: .fit))
      } receiveValue: { [weak self] response in
        guard let self else { return }
        guard !response.isPreview else {
          return displays.send(ImageDisplay(image: response.image, role: .placeholder, contentMode: .fit))
        }
        let isHigh = response.request.imageID == gallery.large(photo).imageID
        state = isHigh ? .high : .low
        displays.send(
          ImageDisplay(
            image: response.image, role: isHigh ? .picture : .preview, contentMode: .fit,
            transition: .crossDissolve(.milliseconds(350))))
      }
  }
}
