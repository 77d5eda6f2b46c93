import Foundation
import Streams
import StreamsExtras
import Testing

@Suite("Completion")
struct CompletionTests {
  private typealias Completion = Subscribers.Completion<Problem>

  @Test("is equal to the same ending")
  func equality() {
    let endings: [Completion] = [.finished, .failure(Problem(code: 1)), .failure(Problem(code: 2))]

    for (index, left) in endings.enumerated() {
      for (other, right) in endings.enumerated() { #expect((left == right) == (index == other)) }
    }
    #expect(Set(endings + endings).count == 3)
  }

  @Test(
    "says whether it is a success, and the error if it is not",
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
    "cannot be read from a failure without an error",
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
