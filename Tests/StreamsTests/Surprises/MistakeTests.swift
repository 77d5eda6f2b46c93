import Streams
import StreamsTesting
import Testing

@Suite("Mistakes of the caller", .leavesNothing)
struct MistakeTests {
  // The test of a process that ends needs a name, and captures it only since Swift 6.3.
  #if compiler(>=6.3)
    @Test(
      "A mistake of the caller traps, and the message names the law and the mistake",
      arguments: Mistake.all.map(\.name))
    func traps(_ name: String) async throws {
      let mistake = try #require(Mistake.named(name))

      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        [name] in
        Mistake.named(name)?.make()
      }

      let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(message.contains("Law P3 broken: "))
      #expect(message.contains(mistake.words))
    }
  #endif

  @Test("An empty or maximal range does not trap")
  func ranges() {
    let values = (0..<4).publisher.eraseToAnyPublisher()

    #expect(values.output(in: ..<0).record().values == [])
    #expect(values.output(in: ...(-1)).record().values == [])
    #expect(values.output(in: 2..<Int.max).record().values == [2, 3])
    #expect(values.output(in: 3...).record().values == [3])
    #expect(values.prefix(.max).record().values == [0, 1, 2, 3])
  }
}
