#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Whether an emulator stands between this program and the kernel. It takes advice about memory, and does not follow it: here it
/// accepts what every kernel refuses.
public let isEmulated: Bool = {
  #if canImport(Glibc)
    let size = sysconf(Int32(_SC_PAGESIZE))
    guard let page = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      page != MAP_FAILED
    else { return false }
    defer { munmap(page, size) }
    return madvise(page, size, MADV_REMOVE) == 0
  #else
    return false
  #endif
}()
