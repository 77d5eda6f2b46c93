import Streams
import StreamsTesting
import Testing

/// Publishers of known values select them at once, by code of their own.
@Suite("Bounds of selections", .leavesNothing)
struct SelectionBoundsTests {
  @Test("One value, or none, is selected by counts and places as an array's elements are", arguments: 0...2)
  func counts(_ number: Int) {
    let (one, none) = ([7], [Int]())
    let (just, some) = (Just(7), Optional(7).publisher)
    let missing = Int?.none.publisher

    #expect(just.dropFirst(number).record().values == Array(one.dropFirst(number)))
    #expect(some.dropFirst(number).record().values == Array(one.dropFirst(number)))
    #expect(missing.dropFirst(number).record().values == none)
    #expect(just.prefix(number).record().values == Array(one.prefix(number)))
    #expect(some.prefix(number).record().values == Array(one.prefix(number)))
    #expect(missing.prefix(number).record().values == none)
    #expect(just.output(at: number).record().values == Array(one.dropFirst(number).prefix(1)))
    #expect(some.output(at: number).record().values == Array(one.dropFirst(number).prefix(1)))
    #expect(missing.output(at: number).record().values == none)
  }

  @Test("One value is selected by a range that contains its place and does not begin below it")
  func ranges() {
    let just = Just(7)

    #expect(just.output(in: 0..<1).record().values == [7])
    #expect(just.output(in: 0...0).record().values == [7])
    #expect(just.output(in: 0...).record().values == [7])
    #expect(just.output(in: ..<1).record().values == [7])
    #expect(just.output(in: ...0).record().values == [7])
    #expect(just.output(in: 0..<0).record().values == [])
    #expect(just.output(in: 1..<2).record().values == [])
    #expect(just.output(in: 1...).record().values == [])
    #expect(just.output(in: ..<0).record().values == [])
    #expect(just.output(in: -1..<1).record().values == [])
    #expect(Optional(7).publisher.output(in: 0..<1).record().values == [7])
    #expect(Optional(7).publisher.output(in: 1..<2).record().values == [])
  }

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
