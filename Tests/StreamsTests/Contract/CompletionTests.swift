import Foundation
import Streams
import StreamsExtras
import Testing

@Suite("`Subscribers.Completion`")
struct CompletionTests {
  private typealias Completion = Subscribers.Completion<Problem>

  @Test("A completion is equal only to the same completion")
  func equality() {
    let endings: [Completion] = [.finished, .failure(Problem(code: 1)), .failure(Problem(code: 2))]

    for (index, left) in endings.enumerated() {
      for (other, right) in endings.enumerated() { #expect((left == right) == (index == other)) }
    }
    #expect(Set(endings + endings).count == 3)
  }

  @Test(
    "A completion is encoded with its success and its error, and decoded again",
    arguments: [
      (ending: .finished, coded: #"{"success":true}"#),
      (ending: .failure(Problem(code: 7)), coded: #"{"error":{"code":7},"success":false}"#),
    ] as [(ending: Subscribers.Completion<Problem>, coded: String)])
  func coding(_ row: (ending: Subscribers.Completion<Problem>, coded: String)) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys

    let data = try encoder.encode(row.ending)

    #expect(String(decoding: data, as: UTF8.self) == row.coded)
    #expect(try JSONDecoder().decode(Subscribers.Completion<Problem>.self, from: data) == row.ending)
  }

  @Test(
    "A completion cannot be decoded without a valid success flag and a failure's error",
    arguments: ["{}", #"{"success":false}"#, #"{"success":1}"#])
  func broken(_ text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Subscribers.Completion<Problem>.self, from: Data(text.utf8))
    }
  }
}

struct Problem: Error, Hashable, Codable {
  let code: Int
}
