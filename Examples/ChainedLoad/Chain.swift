import Foundation
import StreamImages

extension ImagePipeline {
  /// The chain this example is about: a photograph's placeholder, if one is known, its resized picture, its original, and
  /// then the end.
  ///
  /// Both requests are for one URL, so what is kept of one serves the other. Whatever fails is replaced by the
  /// failure image, which is the last picture then: the stream itself never fails.
  func exhibits(of photograph: Photograph, size: Int, isResizedOnly: Bool) -> AnyPublisher<Exhibit, Never> {
    let box = CGSize(width: size, height: size)
    let resized = imagePublisher(
      with: photograph.request(processors: [.resize(size: box, contentMode: .aspectFit)]))
    let original =
      isResizedOnly
      ? Empty().eraseToAnyPublisher()
      : imagePublisher(with: photograph.request()).eraseToAnyPublisher()

    return resized.append(original)
      .prependingPlaceholder(photograph.placeholder, of: photograph.request())
      .map { Exhibit($0) }
      .catch { Just(Exhibit($0)) }
      .eraseToAnyPublisher()
  }
}
