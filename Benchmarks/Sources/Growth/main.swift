#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// A row for each point. Its counts are 1 and 2: for the few events of its series, and for the many.
let rows = series.flatMap { line in
  line.sizes.map { size in
    let (low, high) = line.events(size)
    let title = [line.name, "\(size)", "\(high - low)", "\(line.share(size))", line.title]
    return Row("\(line.name)-\(size)", title.joined(separator: "\t")) { count in
      line.run(size, count > 1 ? high : low)
    }
  }
}

exit(serve(rows, Array(CommandLine.arguments.dropFirst())))
