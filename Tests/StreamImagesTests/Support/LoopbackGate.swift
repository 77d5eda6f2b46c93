import class LoopbackServer.Gate

/// The gate of a server; `Gate` alone is also one of the engines of Streams.
typealias LoopbackGate = Gate
