internal import CHeap
internal import Dispatch
internal import StreamImages
import StreamsExtras

/// Keeps memory between images, and gives back, every ten seconds, what a burst of requests has left behind.
///
/// By itself glibc gets the pages of each image anew, and stays as large as it once was.
func trimmingHeap() -> AnyCancellable {
  keep_heap()
  return DispatchQueue.global().timerPublisher(every: .seconds(10)).autoconnect().sink { _ in trim_heap() }
}
