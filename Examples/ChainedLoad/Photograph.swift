import Foundation
import StreamImages

/// Where a picture is to be had, and what it is called.
struct Photograph: Sendable {
  let name: String
  /// `nil` if what was typed is no URL. The pipeline says so when asked.
  let url: URL?
  /// Stands for the URL in the caches: the port of the server is another one each time.
  let id: String?
  /// What is shown before a byte of it has been loaded.
  let placeholder: Image?

  /// What the command line names: a URL if it looks like one, else a file.
  init(_ word: String) {
    let isURL = word.contains("://") || word.lowercased().hasPrefix("data:")
    url = isURL ? URL(string: word) : URL(fileURLWithPath: word)
    let name = url?.user == nil ? word : Self.withoutUser(url)
    self.name = name.count > 80 ? "\(name.prefix(80))…" : name
    id = nil
    placeholder = nil
  }

  init(name: String, url: URL, id: String, placeholder: Image?) {
    self.name = name
    self.url = url
    self.id = id
    self.placeholder = placeholder
  }

  func request(processors: [any ImageProcessing] = []) -> ImageRequest {
    var request = ImageRequest(url: url, processors: processors)
    request.imageID = id
    return request
  }

  /// Names are printed and kept, passwords are not.
  private static func withoutUser(_ url: URL?) -> String {
    var parts = url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: false) }
    parts?.user = nil
    parts?.password = nil
    return parts?.string ?? "a URL"
  }
}
