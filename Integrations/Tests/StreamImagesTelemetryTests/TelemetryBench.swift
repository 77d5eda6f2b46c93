import Foundation
import StreamImages
import StreamImagesTesting

/// A pipeline with real stages and a scripted network.
struct TelemetryBench {
  let loader = ScriptedLoader()
  let disk = RecordingDataCache()
  let url = URL(string: "https://user:password@images.example/a.png?signature=secret#part")!

  func pipeline(_ configure: (inout ImagePipeline.Configuration) -> Void) -> ImagePipeline {
    ImagePipeline { configuration in
      configuration.dataLoader = loader
      configuration.imageCache = ImageCache()
      configuration.dataCache = disk
      configuration.decoderRegistry = ImageDecoderRegistry()
      configure(&configuration)
    }
  }
}
