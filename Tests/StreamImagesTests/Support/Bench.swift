import Foundation
import StreamImages
import StreamsTesting

/// A pipeline of real stages whose loader does what a test says, and whose caches remember what was asked of them.
struct Bench {
  let loader = ScriptedLoader()
  let memory = RecordingImageCache()
  let disk = RecordingDataCache()
  let decoder = ScriptedDecoder()
  let url = URL(string: "https://example.org/a.png")!
  let other = URL(string: "https://example.org/b.png")!

  func pipeline(_ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }) -> ImagePipeline {
    ImagePipeline { configuration in
      configuration.dataLoader = loader
      configuration.imageCache = memory
      configuration.dataCache = disk
      configuration.decoders = [decoder]
      configuration.decoderRegistry = ImageDecoderRegistry()
      configure(&configuration)
    }
  }
}

/// Lets others go on until something is so. The time limit of the suite ends what never is.
func until(_ isSo: () -> Bool) async {
  while !isSo(), !Task.isCancelled { await Task.yield() }
}

extension RecordingDelegate {
  /// Marks each request that it prepares.
  static var marking: RecordingDelegate {
    RecordingDelegate { request in
      var request = request
      request.userInfo["prepared"] = true
      return request
    }
  }
}

extension ImageRequest {
  var isMarked: Bool { userInfo["prepared"] as? Bool == true }
}

/// Blocks the thread until a task has ended, so that nothing else runs on its actor meanwhile.
func waitForEnd(of task: ImageTask) {
  while task.status.result == nil, !Task.isCancelled { Thread.sleep(forTimeInterval: 0.001) }
}

extension Recorder {
  /// Whether it ends, and without a failure.
  func endsWell() async -> Bool {
    if case .finished? = await ended() { true } else { false }
  }
}

extension LoadingTask {
  /// Why there is no picture; `nil` if there is one.
  func failure() async -> ImagePipeline.Error? {
    do throws(ImagePipeline.Error) {
      _ = try await response
      return nil
    } catch {
      return error
    }
  }
}
