import Streams
import StreamsTesting
import Testing

@Suite("`compactMap`", .leavesNothing)
struct CompactMapTests {
  @Test("A chain of `compactMap` and `map` is one stage")
  func fuses() {
    let publisher = ["1", "a", "2"].publisher.eraseToAnyPublisher()

    let fused = publisher.compactMap { Int($0) }.compactMap { $0 > 1 ? $0 : nil }.map { $0 * 10 }
    let trying = publisher.tryCompactMap { Int($0) }.compactMap { $0 > 1 ? $0 : nil }

    #expect(type(of: fused) == Publishers.CompactMap<AnyPublisher<String, Never>, Int>.self)
    #expect(type(of: trying) == Publishers.TryCompactMap<AnyPublisher<String, Never>, Int>.self)
    #expect(fused.record().values == [20])
    #expect(trying.record().values == [2])
  }

  @Test("A chain of `filter` and `tryFilter` is one stage")
  func filters() {
    let publisher = (1...6).publisher.eraseToAnyPublisher()

    var asked: [Int] = []
    func isBelow6(_ value: Int) -> Bool {
      asked.append(value)
      return value < 6
    }

    let plain = publisher.filter { $0 > 1 }.filter(isBelow6)
    let trying = publisher.filter { $0 > 1 }.tryFilter(isBelow6)
    let twice = publisher.tryFilter { $0 > 1 }.filter(isBelow6)

    #expect(type(of: plain) == Publishers.Filter<AnyPublisher<Int, Never>>.self)
    #expect(type(of: trying) == Publishers.TryFilter<AnyPublisher<Int, Never>>.self)
    #expect(type(of: twice) == Publishers.TryFilter<AnyPublisher<Int, Never>>.self)
    for values in [plain.record().values, trying.record().values, twice.record().values] {
      #expect(values == [2, 3, 4, 5])
    }
    #expect(asked == [2, 3, 4, 5, 6, 2, 3, 4, 5, 6, 2, 3, 4, 5, 6])
  }
}

@Suite("`map` with key paths", .leavesNothing)
struct MapKeyPathTests {
  @Test("`map` with key paths sends one property, a pair or a triple")
  func paths() {
    let words = ["ab", "c"].publisher.eraseToAnyPublisher()

    let one = words.map(\.count)
    let two = words.map(\.count, \.first)
    let three = words.map(\.count, \.first, \.isEmpty)

    #expect(one.record().values == [2, 1])
    #expect(two.record().values.map { "\($0.0)\($0.1!)" } == ["2a", "1c"])
    #expect(three.record().values.map { "\($0.0)\($0.1!)\($0.2)" } == ["2afalse", "1cfalse"])
    #expect(one.keyPath == \String.count)
    #expect(three.keyPath2 == \String.isEmpty)
  }
}

@Suite("`scan`", .leavesNothing)
struct ScanTests {
  @Test("`scan` uses the previous result if its closure sends another value")
  func reentrant() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.scan(0) { [unowned script] sum, value in
      if value == 1 { script.say(10) }
      return sum + value
    }.record()

    script.say(1)

    #expect(recorder.values == [10, 1])
  }
}

@Suite("`encode` and `decode`", .leavesNothing)
struct CodingTests {
  private struct Words: TopLevelEncoder, TopLevelDecoder {
    func encode<Value: Encodable>(_ value: Value) throws -> String { "\(value)" }

    func decode<Value: Decodable>(_: Value.Type, from word: String) throws -> Value {
      guard let value = Int(word) as? Value else { throw Problem(code: word.count) }
      return value
    }
  }

  @Test("`encode` and `decode` send the results of the coder")
  func codes() {
    let recorder = [1, 20].publisher.encode(encoder: Words()).decode(type: Int.self, decoder: Words())
      .record()

    #expect(recorder.values == [1, 20])
    #expect(recorder.completions.count == 1)
  }
}
