#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

let greetings = PassthroughSubject<String, Never>()
let subscription = greetings.sink { print($0) }
greetings.send("Hello")
