import Foundation
import StreamImages

/// Asks the server for songs.
struct SongService: Sendable {
  /// The address of the search.
  let address: URL
  let loader: ImagePipeline

  /// The songs whose title or artist contains `term`: one list, then the end.
  func songs(matching term: String) -> AnyPublisher<[Song], any Error> {
    var parts = URLComponents(url: address, resolvingAgainstBaseURL: false)
    parts?.queryItems = [URLQueryItem(name: "term", value: term)]
    return loader.dataPublisher(with: parts?.url)
      .map(\.data)
      .decode(type: [Song].self, decoder: JSONDecoder())
      .eraseToAnyPublisher()
  }
}
