import Foundation
import StreamImages
import StreamImagesS3

// The examples of the documentation comments: a house test looks for them here. They are compiled, and not run.

func storing(on disk: DataCache) {
  var configuration = ImagePipeline.Configuration()
  let store = S3Endpoint(url: URL(string: "https://minio.example")!, credentials: .file())
  configuration.dataLoader = SchemeLoader(network: S3Loader(store))
  let shared = S3DataCache(bucket: "thumbnails", endpoint: store)
  configuration.dataCache = LayeredDataCache(layers: [EncodedMemoryCache(over: disk), shared])
}
