import Foundation
import StreamImages

/// Makes directories, and says of each whether it was brought to the disk, where that is refused.
func directories(in path: String) {
  func attempt(_ name: String, _ make: () throws(SystemError) -> Void) {
    do throws(SystemError) {
      try make()
      say("\(name) made")
    } catch {
      say("\(name) \(error.operation)")
    }
  }
  attempt("usual") { () throws(SystemError) in
    let folder = try FileDescriptor.directory(path)
    _ = try folder.makeDirectory("a")
  }
  attempt("synchronized") { () throws(SystemError) in
    let folder = try FileDescriptor.directory(path)
    _ = try folder.makeDirectory("b", synchronizes: true)
  }
  attempt("there") { () throws(SystemError) in
    let folder = try FileDescriptor.directory(path)
    _ = try folder.makeDirectory("a", synchronizes: true)
  }
  attempt("usual path") { () throws(SystemError) in
    _ = try FileDescriptor.makeDirectories("\(path)/c/d")
  }
  attempt("synchronized path") { () throws(SystemError) in
    _ = try FileDescriptor.makeDirectories("\(path)/e", synchronizes: true)
  }
  attempt("path that is there") { () throws(SystemError) in
    _ = try FileDescriptor.makeDirectories("\(path)/c/d", synchronizes: true)
  }
}
