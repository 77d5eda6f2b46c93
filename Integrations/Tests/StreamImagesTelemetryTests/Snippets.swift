import Logging
import StreamImages
import StreamImagesTelemetry
import Streams

// The examples of the documentation comments: a house test looks for them here. They are compiled, and not run.

func chaining(_ logger: Logger, _ myDelegate: any ImagePipelineDelegate) {
  var configuration = ImagePipeline.Configuration()
  configuration.delegate = PipelineLogging(logger, next: PipelineTracing(next: myDelegate))
}

func logging() {
  var configuration = ImagePipeline.Configuration()
  configuration.delegate = PipelineLogging(Logger(label: "images"))
}

func measuring(_ pipeline: ImagePipeline) {
  let metrics = PipelineMetrics(of: pipeline)
  let reporting = metrics.report(every: .seconds(10))
  _ = reporting
}

func tracing() {
  var configuration = ImagePipeline.Configuration()
  let tracing = PipelineTracing()
  configuration.delegate = tracing
  let pipeline = ImagePipeline(configuration)
  let spans = tracing.follow(pipeline)
  _ = spans
}
