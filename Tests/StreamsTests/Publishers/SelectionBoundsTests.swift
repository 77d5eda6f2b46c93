import Streams
import StreamsTesting
import Testing

/// Publishers of known values select them at once, by code of their own.
@Suite("Bounds of selections", .leavesNothing)
struct SelectionBoundsTests {
  @Test("An element of a collection is selected by its index, and none by an index outside", arguments: 0...6)
  func indices(_ index: Int) {
    let slice = [0, 1, 2, 3, 4, 5][2..<5]
    let expected = slice.indices.contains(index) ? [index] : []

    #expect(slice.publisher.output(at: index).record().values == expected)
    #expect((2..<5).publisher.output(at: index).record().values == expected)
    #expect(slice.publisher.output(in: index..<9).record().values == Array(slice.filter { $0 >= index }))
    #expect(slice.publisher.output(in: 0..<index).record().values == Array(slice.filter { $0 < index }))
  }

  @Test("Selections of a sequence leave out one element unless they are told how many")
  func defaults() {
    #expect([1, 2].publisher.dropFirst().record().values == [2])
    #expect(Just(1).dropFirst().record().values == [])
    #expect(Optional(1).publisher.dropFirst().record().values == [])
  }

  @Test("A drop of no values requests nothing by itself")
  func dropsNone() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.dropFirst(0).record(demand: .none)
    let early = script.demands

    recorder.request(.max(1))
    script.say(1)

    #expect(early == [])
    #expect(script.demands == [.max(1)])
    #expect(recorder.values == [1])
  }
}
