import Streams
import StreamsExtras
import StreamsTesting
import Testing

private typealias Numbers = PassthroughSubject<Int, Never>
private typealias Clock = MainActorScheduler
private struct Broken: Error {}

/// These compile: that is the test. What must not is in `UnsendabilityTests`.
@Suite("`Sendable` types", .leavesNothing)
struct SendabilityTests {
  @Test("Types with a lock or without mutable state are `Sendable` for any value")
  func always() {
    requireSendable(AnyCancellable.self)
    requireSendable(Subscribers.Demand.self)
    requireSendable(Subscribers.Completion<Broken>.self)
    requireSendable(CombineIdentifier.self)
    requireSendable(ObservableObjectPublisher.self)
    requireSendable(Subscribers.IsolationPolicy.self)
    requireSendable(Publishers.AsyncBuffering.self)
    requireSendable(Publishers.PrefetchStrategy.self)
    requireSendable(Empty<Unshared, Never>.self)
    requireSendable(Fail<Unshared, Broken>.self)
    requireSendable(AnySendablePublisher<Unshared, Never>.self)
    requireSendable(Future<Unshared, Broken>.Promise.self)
  }

  @Test("Schedulers and their time types are `Sendable`")
  func schedulers() {
    requireSendable(ImmediateScheduler.self)
    requireSendable(ImmediateScheduler.SchedulerTimeType.self)
    requireSendable(ImmediateScheduler.SchedulerTimeType.Stride.self)
    requireSendable(MainActorScheduler.self)
    requireSendable(MainActorScheduler.SchedulerTimeType.self)
    requireSendable(MainActorScheduler.SchedulerTimeType.Stride.self)
    requireSendable(Publishers.TimeGroupingStrategy<Clock>.self)
  }

  @Test("Subjects and publishers that store values are `Sendable` if their values are")
  func values() {
    requireSendable(PassthroughSubject<Int, Broken>.self)
    requireSendable(CurrentValueSubject<Int, Broken>.self)
    requireSendable(Future<Int, Broken>.self)
    requireSendable(Published<Int>.self)
    requireSendable(Published<Int>.Publisher.self)
    requireSendable(Just<Int>.self)
    requireSendable(Optional<Int>.Publisher.self)
    requireSendable(Result<Int, Broken>.Publisher.self)
    requireSendable(Record<Int, Broken>.self)
    requireSendable(Record<Int, Broken>.Recording.self)
    requireSendable(Publishers.Sequence<[Int], Never>.self)
  }

  @Test("Operators without a closure are `Sendable` if their upstreams are")
  func operators() {
    requireSendable(Publishers.Drop<Numbers>.self)
    requireSendable(Publishers.Output<Numbers>.self)
    requireSendable(Publishers.IgnoreOutput<Numbers>.self)
    requireSendable(Publishers.ReplaceEmpty<Numbers>.self)
    requireSendable(Publishers.ReplaceError<Numbers>.self)
    requireSendable(Publishers.SetFailureType<Numbers, Broken>.self)
    requireSendable(Publishers.AssertNoFailure<Numbers>.self)
    requireSendable(Publishers.Retry<Numbers>.self)
    requireSendable(Publishers.First<Numbers>.self)
    requireSendable(Publishers.Last<Numbers>.self)
    requireSendable(Publishers.Count<Numbers>.self)
    requireSendable(Publishers.Contains<Numbers>.self)
    requireSendable(Publishers.Collect<Numbers>.self)
    requireSendable(Publishers.CollectByCount<Numbers>.self)
    requireSendable(Publishers.SwitchToLatest<Numbers, PassthroughSubject<Numbers, Never>>.self)
    requireSendable(Publishers.DropUntilOutput<Numbers, Numbers>.self)
    requireSendable(Publishers.PrefixUntilOutput<Numbers, Numbers>.self)
    requireSendable(Publishers.Concatenate<Numbers, Numbers>.self)
    requireSendable(Publishers.MergeMany<Numbers>.self)
    requireSendable(Publishers.Merge<Numbers, Numbers>.self)
    requireSendable(Publishers.Merge3<Numbers, Numbers, Numbers>.self)
    requireSendable(Publishers.Merge4<Numbers, Numbers, Numbers, Numbers>.self)
    requireSendable(Publishers.Merge5<Numbers, Numbers, Numbers, Numbers, Numbers>.self)
    requireSendable(Publishers.Merge6<Numbers, Numbers, Numbers, Numbers, Numbers, Numbers>.self)
    requireSendable(Publishers.Merge7<Numbers, Numbers, Numbers, Numbers, Numbers, Numbers, Numbers>.self)
    requireSendable(
      Publishers.Merge8<Numbers, Numbers, Numbers, Numbers, Numbers, Numbers, Numbers, Numbers>.self)
    requireSendable(Publishers.Zip<Numbers, Numbers>.self)
    requireSendable(Publishers.Zip3<Numbers, Numbers, Numbers>.self)
    requireSendable(Publishers.Zip4<Numbers, Numbers, Numbers, Numbers>.self)
    requireSendable(Publishers.CombineLatest<Numbers, Numbers>.self)
    requireSendable(Publishers.CombineLatest3<Numbers, Numbers, Numbers>.self)
    requireSendable(Publishers.CombineLatest4<Numbers, Numbers, Numbers, Numbers>.self)
  }

  @Test("Publishers that subscribers share are `Sendable` if their upstream and values are")
  func shared() {
    requireSendable(MorePublishers.ShareReplay<Numbers>.self)
    requireSendable(MorePublishers.RefCount<Publishers.Multicast<Numbers, Numbers>>.self)
    requireSendable(MorePublishers.Timer<Clock>.self)
    requireSendable(ReplaySubject<Int, Broken>.self)
    requireSendable(PassthroughRelay<Int>.self)
    requireSendable(CurrentValueRelay<Int>.self)
    requireSendable(ReplayRelay<Int>.self)
    requireSendable(MutableProperty<Int>.self)
    requireSendable(GroupedPublisher<String, Int, Broken>.self)
  }

  @Test("Sharing and timing operators are `Sendable` if their upstream and scheduler are")
  func sharingAndTiming() {
    requireSendable(Publishers.Share<Numbers>.self)
    requireSendable(Publishers.Multicast<Numbers, Numbers>.self)
    requireSendable(Publishers.Autoconnect<Publishers.MakeConnectable<Numbers>>.self)
    requireSendable(Publishers.MakeConnectable<Numbers>.self)
    requireSendable(Publishers.ReceiveOn<Numbers, Clock>.self)
    requireSendable(Publishers.SubscribeOn<Numbers, Clock>.self)
    requireSendable(Publishers.Delay<Numbers, Clock>.self)
    requireSendable(Publishers.Debounce<Numbers, Clock>.self)
    requireSendable(Publishers.Throttle<Numbers, Clock>.self)
    requireSendable(Publishers.MeasureInterval<Numbers, Clock>.self)
    requireSendable(Publishers.CollectByTime<Numbers, Clock>.self)
  }

  @Test("Asynchronous bridges are `Sendable` if their source is")
  func bridges() {
    requireSendable(AsyncPublisher<Numbers>.self)
    requireSendable(AsyncThrowingPublisher<Numbers>.self)
    requireSendable(AsyncTypedPublisher<Numbers>.self)
    requireSendable(AsyncSequencePublisher<AsyncStream<Int>>.self)
  }

  @Test("A type-erased publisher can be required to be `Sendable`")
  func existentials() async {
    struct Store: Sendable {
      let changes: any Publisher<Int, Never> & Sendable
    }
    let subject = CurrentValueSubject<Int, Never>(7)
    let store = Store(changes: subject)

    let value = await Task.detached { store.changes.eraseToAnySendablePublisher().record().values }.value

    #expect(value == [7])
  }
}
