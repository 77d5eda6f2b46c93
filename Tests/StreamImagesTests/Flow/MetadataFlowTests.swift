import Foundation
import LoopbackServer
import StreamImages
import StreamImagesTesting
import Testing

@Suite("Metadata of encoded images", .timeLimit(.minutes(20)))
struct MetadataFlowTests {
  private static let choices: [KeptMetadata] = [
    .none, .color, .copyright, .all, .location, [.all, .location],
  ]

  private func request(_ workshop: Workshop, _ kept: KeptMetadata) throws -> ImageRequest {
    workshop.server.serve("/a", .bytes(try AnnotatedPicture.file(64, 48)))
    var request = ImageRequest(url: workshop.server.url("/a"), processors: [.resize(width: 16)])
    request.encoding = .jpeg(quality: 0.8)
    request.keptMetadata = kept
    return request
  }

  private func expect(_ data: Data, has kept: KeptMetadata) throws {
    let metadata = try ImageMetadata(of: data)
    #expect(try ImageDecoder.decode(data).size == PixelSize(width: 16, height: 12))
    #expect((metadata.camera.make == "Maker") == kept.contains(.descriptions))
    #expect((metadata.title == "Tower") == kept.contains(.descriptions))
    #expect((metadata.copyright == "Rights") == kept.contains(.copyright))
    #expect((metadata.creators == ["Artist"]) == kept.contains(.copyright))
    #expect((metadata.location?.latitude == -33.5) == kept.contains(.location))
    #expect(
      (metadata.xmp.map { String(decoding: $0.bytes, as: UTF8.self).contains("GPS") } == true)
        == kept.contains(.location))
    #expect((metadata.colorProfile == .sRGB) == kept.contains(.color))
    if let exif = metadata.exif {
      #expect(exif["PixelXDimension"] == .integers([16]) && exif["Orientation"] == .integers([1]))
    }
  }

  @Test("A resized and encoded image has the metadata that its request keeps", arguments: choices)
  func kept(kept: KeptMetadata) async throws {
    try await withWorkshop { workshop in
      let request = try request(workshop, kept)
      let pipeline = workshop.pipeline()

      let made = try await pipeline.encodedImage(for: request)
      await pipeline.flush()
      let found = try await workshop.pipeline().encodedImage(for: request)

      try expect(made.data, has: kept)
      #expect(found.data == made.data)
      #expect(found.cacheSource == .disk)
    }
  }

  @Test("The image that is stored in the background has the metadata that its request keeps")
  func stored() async throws {
    try await withWorkshop { workshop in
      var request = try request(workshop, [.all, .location])
      request.encoding = nil
      let pipeline = workshop.pipeline()

      let response = try await pipeline.response(for: request)
      await pipeline.flush()
      let found = try await workshop.pipeline().encodedImage(for: request)

      #expect(response.metadata?.camera.make == "Maker")
      #expect(found.cacheSource == .disk)
      try expect(found.data, has: [.all, .location])
    }
  }

  @Test("Requests that keep different metadata share the load, and no stored image")
  func separate() async throws {
    try await withWorkshop { workshop in
      let pipeline = workshop.pipeline()
      for kept in Self.choices {
        try expect(try await pipeline.encodedImage(for: request(workshop, kept)).data, has: kept)
      }
      await pipeline.flush()

      let later = workshop.pipeline()
      for kept in Self.choices {
        let found = try await later.encodedImage(for: request(workshop, kept))
        #expect(found.cacheSource == .disk)
        try expect(found.data, has: kept)
      }
      #expect(workshop.loads(of: "/a") == 1)
    }
  }

  @Test("Metadata passes through several processors, and through an image in memory")
  func processed() async throws {
    try await withWorkshop { workshop in
      var request = try request(workshop, .all)
      request.processors += [.gaussianBlur(radius: 2), .sepia()]
      let pipeline = workshop.pipeline { $0.dataCache = nil }

      _ = try await pipeline.image(for: request)
      let response = try await pipeline.response(for: request)
      let made = try await pipeline.encodedImage(for: request)

      #expect(response.cacheSource == .memory)
      try expect(made.data, has: .all)
    }
  }

  @Test("The builder keeps metadata, and an image of a closure has none")
  func builder() async throws {
    try await withWorkshop { workshop in
      workshop.server.serve("/a", .bytes(try AnnotatedPicture.file(64, 48)))
      let pipeline = workshop.pipeline()

      let made = try await pipeline.image(with: workshop.server.url("/a"))
        .resize(width: 16).encoding(.png).keeping(.copyright).encoded()
      let image = try Pictures.gradient(8, 8)
      let drawn = try await pipeline.image(with: ImageRequest(id: "drawn", image: { image }))
        .encoding(.png).keeping(.all).encoded()

      #expect(try ImageMetadata(of: made.data).copyright == "Rights")
      #expect(try ImageMetadata(of: made.data).camera.make == nil)
      #expect(made.contentType == "image/png")
      #expect(try ImageMetadata(of: drawn.data).exif == nil)
      await pipeline.flush()
    }
  }

  @Test("An encoder with a limit of bytes counts metadata, and one without metadata keeps none")
  func encoders() throws {
    struct Plain: ImageEncoding {
      func encode(_ image: Image) throws -> Data { try ImageEncoders.Fixed(encoding: .png).encode(image) }
    }
    let image = try Pictures.noise(64, 64)
    let metadata = try ImageMetadata(of: AnnotatedPicture.file(8, 8))
    let limited = ImageEncoders.Fixed(encoding: .jpeg(quality: 1), maximumByteCount: 5_000)

    let small = try limited.encode(image, keeping: .all, of: metadata)
    let plain = try Plain().encode(image, keeping: .all, of: metadata)
    let usual = try ImageEncoders.Default().encode(image, keeping: .all, of: metadata)

    #expect(small.count <= 5_000)
    #expect(try ImageMetadata(of: small).camera.make == "Maker")
    #expect(try ImageMetadata(of: plain).exif == nil)
    #expect(try ImageMetadata(of: usual).camera.make == "Maker")
  }

  #if os(Linux)
    @Test(
      "A pipeline with worker processes writes the same metadata",
      arguments: [ImageEncoder.Encoding.jpeg(), .png, .webp()])
    func isolated(encoding: ImageEncoder.Encoding) async throws {
      try await withWorkshop { workshop in
        workshop.server.serve("/a", .bytes(try AnnotatedPicture.file(64, 48, as: encoding)))
        var request = ImageRequest(url: workshop.server.url("/a"), processors: [.resize(width: 16)])
        request.keptMetadata = [.all, .location]

        let here = try await workshop.pipeline { $0.dataCache = nil }.encodedImage(for: request)
        let there = try await workshop.pipeline {
          $0.dataCache = nil
          $0.decodingIsolation = .process(
            WorkerSettings(program: IsolatedPipelineTests.program("HostileWorker")))
        }
        .encodedImage(for: request)

        #expect(here.data == there.data)
        try expect(there.data, has: [.all, .location])
      }
    }
  #endif
}
