import Streams
import StreamsExtras
import StreamsTesting
import Testing

/// As in Combine, some operators trap on a request for no values, and others ignore it.
@Suite("Requests for no values", .leavesNothing)
struct ZeroDemandTests {
  private typealias Upstream = Script<Int, Problem>

  @Test("An operator that drops or replaces values traps on a request for no values")
  func filtering() async {
    await #expect(processExitsWith: .failure) { Upstream().drop { _ in true }.ask() }
    await #expect(processExitsWith: .failure) { Upstream().tryDrop { _ in true }.ask() }
    await #expect(processExitsWith: .failure) { Upstream().tryFilter { _ in true }.ask() }
    await #expect(processExitsWith: .failure) { Upstream().tryCompactMap { $0 }.ask() }
    await #expect(processExitsWith: .failure) { Upstream().prefix { _ in true }.ask() }
    await #expect(processExitsWith: .failure) { Upstream().tryPrefix { _ in true }.ask() }
    await #expect(processExitsWith: .failure) { Upstream().removeDuplicates().ask() }
    await #expect(processExitsWith: .failure) { Upstream().tryRemoveDuplicates(by: ==).ask() }
    await #expect(processExitsWith: .failure) { Upstream().dropFirst().ask() }
    await #expect(processExitsWith: .failure) { Upstream().replaceEmpty(with: 0).ask() }
    await #expect(processExitsWith: .failure) { Upstream().replaceError(with: 0).ask() }
    await #expect(processExitsWith: .failure) { Upstream().catch { _ in Just(0) }.ask() }
    await #expect(processExitsWith: .failure) { Upstream().tryCatch { _ in Just(0) }.ask() }
  }

  @Test("An operator that collects, folds or switches traps on a request for no values")
  func folding() async {
    await #expect(processExitsWith: .failure) { Upstream().collect(2).ask() }
    await #expect(processExitsWith: .failure) { Upstream().collect().ask() }
    await #expect(processExitsWith: .failure) { Upstream().reduce(0, +).ask() }
    await #expect(processExitsWith: .failure) {
      Upstream().map { _ in Upstream() }.switchToLatest().ask()
    }
  }

  @Test("A publisher of a single value traps on a request for no values")
  func single() async {
    await #expect(processExitsWith: .failure) { Just(1).ask() }
    await #expect(processExitsWith: .failure) { Optional(1).publisher.ask() }
    await #expect(processExitsWith: .failure) { Result<Int, Problem>.success(1).publisher.ask() }
    await #expect(processExitsWith: .failure) { Future<Int, Never> { _ in }.ask() }
  }

  @Test("`ignoreOutput`, `prefix`, `scan` and joined collections ignore a request for no values")
  func passing() async {
    await #expect(processExitsWith: .success) {
      Upstream().ignoreOutput().ask()
      Upstream().prefix(2).ask()
      Upstream().scan(0, +).ask()
      [Upstream()].zip().ask()
      [Upstream()].combineLatest().ask()
    }
  }

  @Test("`receive(on:)` and `subscribe(on:)` pass no request for no values on")
  func scheduled() {
    let scripts = [Upstream(), Upstream()]

    scripts[0].receive(on: ImmediateScheduler.shared).ask()
    scripts[1].subscribe(on: ImmediateScheduler.shared).ask()

    #expect(scripts.map(\.demands) == [[], []])
  }
}

extension Publisher {
  /// Subscribes, requests no values, and cancels.
  fileprivate func ask() {
    let recorder = record(demand: .none)
    recorder.request(.none)
    recorder.cancel()
  }
}
