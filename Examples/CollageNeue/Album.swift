import Foundation
import StreamImages
import Studio

/// The photographs there are to pick from.
struct Album: Sendable {
  let names: [String]
  private let requests: [ImageRequest]

  /// Paintings, painted when they are picked.
  init() {
    names = (1...8).map { "painting \($0)" }
    requests = (1...8).map { number in
      ImageRequest(id: "painting \(number)", image: { try Painting(number, width: 960, height: 640).image() })
    }
  }

  /// The photographs in a directory.
  init(directory: URL) async throws {
    let found = try await DirectoryLibrary(directory: directory).photos()
    if found.isEmpty { throw Arguments.Mistake("There are no photographs in \(directory.path)") }
    names = found
    requests = found.map { name in
      ImageRequest(url: directory.appendingPathComponent(name), processors: [.resize(width: 960)])
    }
  }

  /// A photograph by its number, from 1; `nil` if there is none.
  func request(_ number: Int) -> ImageRequest? {
    number > 0 && number <= requests.count ? requests[number - 1] : nil
  }
}
