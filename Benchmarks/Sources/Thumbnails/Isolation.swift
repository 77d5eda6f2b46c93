import Foundation
import ImageCodecs

/// What it costs to decode in worker processes: in one run, image by image, here and there in turns.
enum Isolation {
  /// One kind of files: what each image takes, in milliseconds. Times by the clock are medians; processor time, the worker's
  /// included, is the sum of all, as it is counted from outside.
  private struct Row {
    var name: String
    var here: [Double] = []
    var there: [Double] = []
    var processorHere = 0.0
    var processorThere = 0.0

    static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
    var ratio: Double { processorThere / processorHere }
    /// Of processor time.
    var more: Double { (processorThere - processorHere) / Double(here.count) }
    var wallMore: Double { Self.median(there) - Self.median(here) }

    var text: String {
      String(
        format: "| %@ | %.3f | %.3f | %.3f | %.3f | %.3f | %.3f |", name, Self.median(here),
        Self.median(there),
        Self.median(there) / Self.median(here), processorHere / Double(here.count),
        processorThere / Double(here.count), ratio)
    }
  }

  /// At once, also into a pipe.
  private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

  static func compare(in folder: URL) throws {
    let gallery = Gallery(folder: folder)
    try gallery.paintWhatIsMissing()
    let decoder = IsolatedImageDecoder()
    say("workers: \(try decoder.protections())")
    say(
      "| thumbnails of 320 pixels | ms here | in a worker | ratio | processor ms here | in a worker | ratio |"
    )
    say("|---|---|---|---|---|---|---|")
    let rows = try [
      row("12 MP baseline", Array(gallery.baseline.prefix(12)), rounds: 8, decoder),
      row("12 MP progressive", Array(gallery.progressive.prefix(12)), rounds: 8, decoder),
      row("20 KB", [try small(in: folder)], rounds: 1_000, decoder),
      row("12 MP baseline, at full size", Array(gallery.baseline.prefix(2)), target: nil, rounds: 8, decoder),
    ]
    let worker = try memory()
    try sayCostOfFreshWorkers(small(in: folder))
    say(
      String(
        format: "isolated: 12 MP %.3f, progressive %.3f times the processor time, 20 KB %.3f ms more"
          + " (%.3f by the clock), %.1f MB an idle worker",
        rows[0].ratio, rows[1].ratio, rows[2].more, rows[2].wallMore, worker))
  }

  /// With `imagesPerWorker: 1`, each image starts a process and ends it.
  private static func sayCostOfFreshWorkers(_ file: URL) throws {
    func childrenTime() -> Double {
      var usage = rusage()
      getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
      return milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime)
    }
    func milliseconds(_ time: timeval) -> Double { Double(time.tv_sec) * 1e3 + Double(time.tv_usec) / 1e3 }
    let decoder = IsolatedImageDecoder(WorkerSettings(imagesPerWorker: 1))
    let data = try Data(contentsOf: file)
    let rounds = 100
    let start = childrenTime()
    let times = try (0..<rounds).map { _ in try time { try decoder.decode(data) } }
    say(
      String(
        format: "a fresh worker for each image of 20 KB: %.1f ms of processor time, %.1f ms by the clock",
        (childrenTime() - start) / Double(rounds), Row.median(times)))
  }

  private static func row(
    _ name: String, _ files: [URL], target: ResizeTarget? = .fitting(320), rounds: Int,
    _ decoder: IsolatedImageDecoder
  ) throws -> Row {
    var row = Row(name: name)
    let options = DecodingOptions(target: target)
    let contents = try files.map { try Data(contentsOf: $0) }
    for round in 0..<rounds + 1 {
      for data in contents {
        let start = processorTime()
        let here = try time { try ImageDecoder.decode(data, options: options) }
        let middle = processorTime()
        let there = try time { try decoder.decode(data, options: options) }
        let end = processorTime()
        // The first warms up.
        guard round > 0 else { continue }
        row.here.append(here)
        row.there.append(there)
        row.processorHere += middle - start
        row.processorThere += end - middle
      }
    }
    say(row.text)
    return row
  }

  /// Of this process and its workers, in milliseconds.
  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    let own = Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    return workers.reduce(own) { sum, process in
      let text = (try? String(contentsOfFile: "/proc/\(process)/schedstat", encoding: .utf8)) ?? ""
      return sum + (text.split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1e6
    }
  }

  /// The worker that this process has started: one, as all images come one after the other.
  private static let workers: [Int32] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { Int32($0) }.filter { process in
      let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
      return status.contains("PPid:\t\(getpid())\n")
    }
  }()

  private static func time(_ work: () throws -> Image) throws -> Double {
    let start = ContinuousClock.now
    let image = try work()
    // All of it is read, as whoever shows it would.
    let sum = image.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: 64).reduce(0) { $0 &+ Int(bytes[$1]) }
    }
    precondition(sum >= 0)
    return (ContinuousClock.now - start) / .milliseconds(1)
  }

  /// A photograph of about 20 KB.
  private static func small(in folder: URL) throws -> URL {
    let file = folder.appendingPathComponent("20-kilobytes.jpg")
    if FileManager.default.fileExists(atPath: file.path) { return file }
    let image = try ImageDecoder.decode(
      [UInt8](Data(contentsOf: Gallery(folder: folder).small[0])),
      options: DecodingOptions(target: .fitting(480)))
    var quality = 0.9
    var bytes = try ImageEncoder.encode(image, as: .jpeg(quality: quality))
    while bytes.count > 21_000, quality > 0.1 {
      quality -= 0.05
      bytes = try ImageEncoder.encode(image, as: .jpeg(quality: quality))
    }
    try Data(bytes).write(to: file)
    return file
  }

  /// What an idle worker adds, in megabytes: the pages of its own. Those it shares are there without it; its part of them
  /// depends on how many other processes use them at the moment.
  private static func memory() throws -> Double {
    // It gives memory back when it has had nothing to do for a moment.
    usleep(2_000_000)
    var sizes: [Double] = []
    for process in workers {
      guard let rollup = try? String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8) else {
        continue
      }
      func megabytes(_ key: String) -> Double {
        let line = rollup.split(separator: "\n").first { $0.hasPrefix(key + ":") }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0) / 1024
      }
      say(
        String(
          format: "worker: %.1f MB resident, %.1f MB of its own, %.1f MB with its part of what is shared",
          megabytes("Rss"), megabytes("Private_Dirty") + megabytes("Private_Clean"), megabytes("Pss")))
      sizes.append(megabytes("Private_Dirty") + megabytes("Private_Clean"))
    }
    guard let size = sizes.max() else {
      // The memory of a worker is hidden from all but root.
      say("isolated: the memory of workers cannot be read; run this as root")
      exit(1)
    }
    return size
  }
}
