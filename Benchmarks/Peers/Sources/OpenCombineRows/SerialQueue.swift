import Dispatch
import OpenCombineDispatch

// Never changed, and a queue is what it wraps.
nonisolated(unsafe) let serialQueue = DispatchQueue(label: "rows").ocombine
