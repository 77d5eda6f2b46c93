import Dispatch

#if OPENCOMBINE
  import OpenCombine
  import OpenCombineDispatch
  import OpenCombineFoundation

  typealias Queue = DispatchQueue.OCombine

  extension DispatchQueue {
    var scheduler: Queue { ocombine }
  }
#else
  import StreamsFoundation

  typealias Queue = DispatchQueue

  extension DispatchQueue {
    var scheduler: Queue { self }
  }
#endif

/// Where the application's work runs.
struct Queues {
  let main = DispatchQueue.main.scheduler
  let background = DispatchQueue(label: "background").scheduler
}
