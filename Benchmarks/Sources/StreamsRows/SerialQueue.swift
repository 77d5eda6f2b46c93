import Dispatch
import StreamsFoundation

let serialQueue = DispatchQueue(label: "rows")
