import Dispatch
import Foundation
import Streams
import StreamsFoundation
import StreamsTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The right-hand column for OpenCombine in `Docs/moving/from-combine.md`, as it must compile.
private struct FromOpenCombine: Materials {
  func expressions() {
    _ = numbers.receive(on: DispatchQueue.main)
    _ = numbers.receive(on: RunLoop.main)
    _ = numbers.receive(on: OperationQueue.main)
    _ = Timer.publish(every: 1, on: .main, in: .common)
    _ = NotificationCenter.default.publisher(for: name)
    _ = URLSession.shared.dataTaskPublisher(for: url)
    _ = bytes.decode(type: [Int].self, decoder: JSONDecoder())
    _ = numbers.merge(with: others)
    _ = numbers.collect(.byTime(scheduler, .seconds(1)))
    _ = Published(initialValue: 1)
  }
}
