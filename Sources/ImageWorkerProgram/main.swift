import ImageCodecs

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

// Programs that isolate decoding start this, and hand it the other end of a socket.
ImageWorker.runIfAsked()
print("image-worker decodes images for programs that use StreamImages. They start it themselves.")
exit(2)
