internal import CHeap
internal import Dispatch
internal import StreamImages

/// Gives back, every ten seconds, memory that a burst of requests has left behind.
///
/// glibc keeps it otherwise, and a server would stay as large as it once was.
func trimmingHeap() -> AnyCancellable {
  DispatchQueue.global().timerPublisher(every: .seconds(10)).autoconnect().sink { _ in trim_heap() }
}
