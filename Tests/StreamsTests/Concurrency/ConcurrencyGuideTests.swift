import Streams
import StreamsExtras
import StreamsTesting
import Testing

/// The code of a documentation comment.
@Suite("Concurrency guide", .leavesNothing)
struct ConcurrencyGuideTests {
  @Test("The concurrency guide's loops over failing publishers find a value, and throw a typed failure")
  func failing() async {
    let readings = Publishers.Sequence<[Int], Problem>(sequence: [12, 25, 37]).append(
      Fail(error: Problem(code: 7)))
    var (sum, codes) = (0, [Int]())

    let warm = try? await readings.values.map { $0 / 10 }.first { $0 > 2 }
    do throws(Problem) {
      for try await reading in readings.values(throwing: Problem.self) { sum += reading }
    } catch {
      codes.append(error.code)
    }

    #expect(warm == 3)
    #expect(sum == 74)
    #expect(codes == [7])
  }
}
