import LoopbackServer

/// The gate of a server; Streams has an engine of the same name.
typealias Gate = ResponseGate
