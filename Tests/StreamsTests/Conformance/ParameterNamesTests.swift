import Streams
import Testing

// Names of generic parameters are part of the source: a program extends `Publishers.SwitchToLatest where P: …`.

private protocol Named {}

extension Publishers.Multicast where Upstream: Named, SubjectType: Named {}
extension Publishers.SubscribeOn where Upstream: Named, Context: Named {}
extension Publishers.MeasureInterval where Upstream: Named, Context: Named {}
extension Publishers.DropWhile where Upstream: Named {}
extension Publishers.TryDropWhile where Upstream: Named {}
extension Record where Output: Named, Failure: Named {}
extension Publishers.Filter where Upstream: Named {}
extension Publishers.TryFilter where Upstream: Named {}
extension Publishers.Breakpoint where Upstream: Named {}
extension Deferred where DeferredPublisher: Named {}
extension Publishers.AllSatisfy where Upstream: Named {}
extension Publishers.TryAllSatisfy where Upstream: Named {}
extension Subscribers.Sink where Input: Named, Failure: Named {}
extension AnySubscriber where Input: Named, Failure: Named {}
extension Publishers.RemoveDuplicates where Upstream: Named {}
extension Publishers.TryRemoveDuplicates where Upstream: Named {}
extension Publishers.Decode where Upstream: Named, Output: Named, Coder: Named {}
extension Publishers.Encode where Upstream: Named, Coder: Named {}
extension Just where Output: Named {}
extension PassthroughSubject where Output: Named, Failure: Named {}
extension Publishers.Contains where Upstream: Named {}
extension Publishers.CombineLatest where A: Named, B: Named {}
extension Publishers.CombineLatest3 where A: Named, B: Named, C: Named {}
extension Publishers.CombineLatest4 where A: Named, B: Named, C: Named, D: Named {}
extension Publishers.Autoconnect where Upstream: Named {}
extension Publishers.Print where Upstream: Named {}
extension Publishers.PrefixWhile where Upstream: Named {}
extension Publishers.TryPrefixWhile where Upstream: Named {}
extension Future where Output: Named, Failure: Named {}
extension Empty where Output: Named, Failure: Named {}
extension Publishers.SetFailureType where Upstream: Named, Failure: Named {}
extension Publishers.ContainsWhere where Upstream: Named {}
extension Publishers.TryContainsWhere where Upstream: Named {}
extension Published where Value: Named {}
extension Publishers.MakeConnectable where Upstream: Named {}
extension Publishers.TimeGroupingStrategy where Context: Named {}
extension Publishers.CollectByTime where Upstream: Named, Context: Named {}
extension Publishers.Collect where Upstream: Named {}
extension Publishers.CollectByCount where Upstream: Named {}
extension Publishers.ReceiveOn where Upstream: Named, Context: Named {}
extension Subscribers.Completion where Failure: Named {}
extension Publishers.MapKeyPath where Upstream: Named, Output: Named {}
extension Publishers.MapKeyPath2 where Upstream: Named, Output0: Named, Output1: Named {}
extension Publishers.MapKeyPath3 where Upstream: Named, Output0: Named, Output1: Named, Output2: Named {}
extension AsyncPublisher where P: Named {}
extension AsyncThrowingPublisher where P: Named {}
extension Publishers.PrefixUntilOutput where Upstream: Named, Other: Named {}
extension Publishers.Reduce where Upstream: Named, Output: Named {}
extension Publishers.TryReduce where Upstream: Named, Output: Named {}
extension Publishers.CompactMap where Upstream: Named, Output: Named {}
extension Publishers.TryCompactMap where Upstream: Named, Output: Named {}
extension Publishers.Merge where A: Named, B: Named {}
extension Publishers.Merge3 where A: Named, B: Named, C: Named {}
extension Publishers.Merge4 where A: Named, B: Named, C: Named, D: Named {}
extension Publishers.Merge5 where A: Named, B: Named, C: Named, D: Named, E: Named {}
extension Publishers.Merge6 where A: Named, B: Named, C: Named, D: Named, E: Named, F: Named {}
extension Publishers.Merge7 where A: Named, B: Named, C: Named, D: Named, E: Named, F: Named, G: Named {}
extension Publishers.Merge8
where A: Named, B: Named, C: Named, D: Named, E: Named, F: Named, G: Named, H: Named {}
extension Publishers.MergeMany where Upstream: Named {}
extension Publishers.Scan where Upstream: Named, Output: Named {}
extension Publishers.TryScan where Upstream: Named, Output: Named {}
extension Publishers.Count where Upstream: Named {}
extension Publishers.LastWhere where Upstream: Named {}
extension Publishers.TryLastWhere where Upstream: Named {}
extension Publishers.IgnoreOutput where Upstream: Named {}
extension CurrentValueSubject where Output: Named, Failure: Named {}
extension Subscribers.Assign where Root: Named, Input: Named {}
extension Publishers.SwitchToLatest where P: Named, Upstream: Named {}
extension Publishers.Retry where Upstream: Named {}
extension Publishers.MapError where Upstream: Named, Failure: Named {}
extension Publishers.Throttle where Upstream: Named, Context: Named {}
extension Publishers.Share where Upstream: Named {}
extension Publishers.Comparison where Upstream: Named {}
extension Publishers.TryComparison where Upstream: Named {}
extension Publishers.ReplaceEmpty where Upstream: Named {}
extension Publishers.ReplaceError where Upstream: Named {}
extension Publishers.AssertNoFailure where Upstream: Named {}
extension Publishers.DropUntilOutput where Upstream: Named, Other: Named {}
extension Publishers.HandleEvents where Upstream: Named {}
extension Publishers.Concatenate where Prefix: Named, Suffix: Named {}
extension Publishers.Debounce where Upstream: Named, Context: Named {}
extension Fail where Output: Named, Failure: Named {}
extension Publishers.Last where Upstream: Named {}
extension AnyPublisher where Output: Named, Failure: Named {}
extension Publishers.Map where Upstream: Named, Output: Named {}
extension Publishers.TryMap where Upstream: Named, Output: Named {}
extension Publishers.Timeout where Upstream: Named, Context: Named {}
extension Publishers.BufferingStrategy where Failure: Named {}
extension Publishers.Buffer where Upstream: Named {}
extension Publishers.Sequence where Elements: Named, Failure: Named {}
extension Publishers.Zip where A: Named, B: Named {}
extension Publishers.Zip3 where A: Named, B: Named, C: Named {}
extension Publishers.Zip4 where A: Named, B: Named, C: Named, D: Named {}
extension Publishers.Output where Upstream: Named {}
extension Publishers.Catch where Upstream: Named, NewPublisher: Named {}
extension Publishers.TryCatch where Upstream: Named, NewPublisher: Named {}
extension Publishers.FlatMap where NewPublisher: Named, Upstream: Named {}
extension Publishers.Delay where Upstream: Named, Context: Named {}
extension Publishers.Drop where Upstream: Named {}
extension Publishers.First where Upstream: Named {}
extension Publishers.FirstWhere where Upstream: Named {}
extension Publishers.TryFirstWhere where Upstream: Named {}
extension Optional.Publisher where Wrapped: Named {}
extension Result.Publisher where Success: Named, Failure: Named {}

@Suite("Names of generic parameters")
struct ParameterNamesTests {
  @Test("Combine's generic types have the same parameter names here")
  func compiles() {
    // Compiling this file is the test. The names are also what a type prints itself with.
    #expect(
      "\(Publishers.SwitchToLatest<Just<Int>, Just<Just<Int>>>.self)"
        == "SwitchToLatest<Just<Int>, Just<Just<Int>>>")
  }
}
