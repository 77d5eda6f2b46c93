import Foundation
import Streams
import StreamsFoundation
import StreamsTesting
import Testing

private struct Photo: Codable, Equatable {
  var title: String
  var size: Int
}

@Suite("Encoding and decoding")
struct CodersTests {
  private let photos = [Photo(title: "a", size: 1), Photo(title: "b", size: 2)]

  @Test("Values survive a round trip through JSON")
  func json() {
    let recorder = photos.publisher.encode(encoder: JSONEncoder())
      .decode(type: Photo.self, decoder: JSONDecoder()).record()

    #expect(recorder.values == photos)
    #expect(recorder.completions.count == 1)
  }

  @Test("Values survive a round trip through property lists")
  func propertyList() {
    let recorder = photos.publisher.encode(encoder: PropertyListEncoder())
      .decode(type: Photo.self, decoder: PropertyListDecoder()).record()

    #expect(recorder.values == photos)
  }

  @Test("`decode` fails with the decoder's error and cancels upstream")
  func failure() {
    let script = Script(Data.self, failure: Never.self)
    let recorder = script.decode(type: Photo.self, decoder: JSONDecoder()).record()

    script.say(Data("nonsense".utf8))

    #expect(recorder.values.isEmpty)
    guard case .failure(let error)? = recorder.completions.first else {
      Issue.record("no failure")
      return
    }
    #expect(error is DecodingError)
    #expect(script.cancellations == 1)
  }
}
