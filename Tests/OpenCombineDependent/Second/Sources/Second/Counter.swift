#if canImport(OpenCombineShim)
  import OpenCombineShim
#else
  import Combine
#endif

public final class Counter: ObservableObject {
  @Published public private(set) var count = 0

  public init() {}

  public func count(_ numbers: some Publisher<Int, Never>) {
    numbers.assign(to: &$count)
  }

  public var doubled: AnyPublisher<Int, Never> { $count.map { $0 * 2 }.eraseToAnyPublisher() }
}
