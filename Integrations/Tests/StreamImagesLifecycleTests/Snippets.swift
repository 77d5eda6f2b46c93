import Logging
import ServiceLifecycle
import StreamImages
import StreamImagesLifecycle
import UnixSignals

// The example of the documentation comment: a house test looks for it here. It is compiled, and not run.

func serving(_ pipeline: ImagePipeline, _ server: any Service, _ logger: Logger) async throws {
  let group = ServiceGroup(
    services: [PipelineService(pipeline), server], gracefulShutdownSignals: [.sigterm], logger: logger)
  try await group.run()
}
