import Foundation
import StreamImages
import Testing

@Suite("`ImagePipeline.shared`")
struct SharedPipelineTests {
  @Test("The shared pipeline works without a cache directory and can be replaced")
  func asItIs() async {
    // In a process of its own: the pipeline is shared by all tests, and so is the environment.
    await #expect(processExitsWith: .success) {
      unsetenv("XDG_CACHE_HOME")
      unsetenv("HOME")
      let bytes = Data(try ImageEncoder.encode(Image(width: 2, height: 3, pixelFormat: .rgb8), as: .png))
      let url = URL(string: "data:image/png;base64,\(bytes.base64EncodedString())")
      let request = ImageRequest(url: url, processors: [.resize(width: 1)])

      let response = try await ImagePipeline.shared.response(for: request)
      precondition(response.image.width == 1)
      await ImagePipeline.shared.flush()

      ImagePipeline.shared = ImagePipeline { $0.imageCache = nil }
      let replaced = try await ImagePipeline.shared.response(for: request)
      precondition(replaced.cacheSource == nil)
      // At once: what its jobs still hold, on their way out, would be taken for a leak.
      _exit(EXIT_SUCCESS)
    }
  }

  // Swift 6.2 captures nothing in a test of a process that ends.
  #if compiler(>=6.3)
    @Test("The shared pipeline stores a processed image in the user's cache directory")
    func cacheDirectory() async throws {
      let folder = try TemporaryFolder()
      let path = folder.url.path
      await #expect(processExitsWith: .success) { [path = path as String] in
        setenv("XDG_CACHE_HOME", path, 1)
        let bytes = Data(try ImageEncoder.encode(Image(width: 2, height: 3, pixelFormat: .rgb8), as: .png))
        let url = URL(string: "data:image/png;base64,\(bytes.base64EncodedString())")
        let request = ImageRequest(url: url, processors: [.resize(width: 1)])

        let first = try await ImagePipeline.shared.response(for: request)
        precondition(first.cacheSource == nil)
        await ImagePipeline.shared.flush()
        ImageCache.shared.removeAll()
        let second = try await ImagePipeline.shared.response(for: request)
        precondition(second.cacheSource == .disk)
        _exit(EXIT_SUCCESS)
      }

      let files = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
      #expect(files.count { $0.hasPrefix("StreamImages/") && $0.hasSuffix(".bin") } == 1)
    }
  #endif
}
