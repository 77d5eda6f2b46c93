# The page of `Scripts/benchmark server`, from its figures.

$1 == "bound" { bound[$2] = $3 + $4; steps[$2] = sprintf("%.2f, %.2f and %.2f", $5, $6, $7); next }
$2 == "part" { part[$1, $3 " " $4] = $5 / 1024; next }
{ row = $2 " " $3; rate[$1, row] = $4; median[$1, row] = $5; slow[$1, row] = $6; errors += $8; cost[$1, row] = $9 }
$2 == "memory" { memory[$1] = $4 / 1024; errors -= $8 }
$2 == "crowd" { crowd = $4; crowdSlow = $6; crowdErrors = $8; grown = $9 }

function line(title, row,    name) {
  printf "| %s ", title
  for (name = 1; name <= 3; name++) printf "| %s | %s ", rate[names[name], row], slow[names[name], row]
  printf "|\n"
}

# Milliseconds of processor time, beside those of the C libraries.
function work(title, key, row,    name) {
  printf "| %s | %.2f (%s) ", title, bound[key], steps[key]
  for (name = 1; name <= 2; name++) {
    printf "| %s, %.2f × ", cost[names[name], row], bound[key] ? cost[names[name], row] / bound[key] : 0
  }
  printf "|\n"
}

function room(title, name) {
  printf "| %s | %.0f | %.0f |\n", title, part["streams", name], part["thumbor", name]
}

END {
  split("streams thumbor thumbor-keeping", names, " ")
  split("1 32 200", widths, " ")
  print "# A thumbnail server"
  print ""
  print "The last figures of `Scripts/benchmark server`: [Examples/ThumbnailServer](../../Examples/ThumbnailServer) beside thumbor 7.8.0 with two"
  printf "processes, of commit %s, on %s with %s processors. Thumbnails have 320 pixels, the images come from one nginx, and\n", commit, machine, processors
  print "wrk runs on the same machine."
  print ""
  print "## Processor time"
  print ""
  print "Milliseconds of processor time for a thumbnail that was not made before, of all processes of a server, in user and system mode, with 32"
  print "connections. *C libraries* is one loop of libjpeg, zimg and libwebp with the same settings and the same result, which"
  print "`Benchmarks/Sources/RawThumbnails` runs on each processor at the same time; in parentheses to decode, to resize and to encode."
  print ""
  print "| Thumbnail | C libraries | Streams | thumbor |"
  print "|---|---|---|---|"
  work("800 × 600 to WebP", "800-webp", "cold-800 32")
  work("800 × 600 to JPEG", "800-jpeg", "cold-800-jpeg 32")
  work("1600 × 1200 to WebP", "1600-webp", "cold-1600 32")
  work("1600 × 1200 to JPEG", "1600-jpeg", "cold-1600-jpeg 32")
  print ""
  print "## Rates"
  print ""
  print "Thumbnails per second, and the 99th percentile in milliseconds. *Cold* thumbnails are new; *warm* ones were made before. \"Keeping\" is"
  print "thumbor with its file storage of results, which is off by default. Thumbnails are WebP unless the row says JPEG."
  print ""
  print "| Connections | Streams | 99 % | thumbor | 99 % | thumbor, keeping | 99 % |"
  print "|---|---|---|---|---|---|---|"
  for (width = 1; width <= 3; width++) line("cold, 800 × 600, " widths[width], "cold-800 " widths[width])
  line("the same as JPEG, 32", "cold-800-jpeg 32")
  for (width = 1; width <= 3; width++) line("cold, 1600 × 1200, " widths[width], "cold-1600 " widths[width])
  line("the same as JPEG, 32", "cold-1600-jpeg 32")
  for (width = 1; width <= 3; width++) line("warm, " widths[width], "warm " widths[width])
  print ""
  printf "A thousand connections for a minute, all cold: %.0f a second, %d errors, memory %+d %% fifteen seconds later.\n\n", crowd, crowdErrors, grown
  print "## Memory"
  print ""
  print "MB after the cold rows, twelve seconds after the last request. Pages that processes share count once."
  print ""
  print "| Part | Streams | thumbor |"
  print "|---|---|---|"
  room("heap of the main process", "main heap")
  room("other arenas of `malloc`", "main arenas")
  room("stacks, data and other memory", "main other")
  room("program and libraries", "main code")
  room("files and pixels for workers", "main files-and-pixels")
  room("heaps of worker processes", "worker heap")
  room("their arenas", "worker arenas")
  room("their other memory", "worker other")
  room("their program and libraries", "worker code")
  room("their files and pixels", "worker files-and-pixels")
  printf "| **in total** | **%.0f** | **%.0f** |\n\n", memory["streams"], memory["thumbor"]
  printf "server: %.2f times the processor time of the C libraries (%.2f as JPEG), thumbor %.2f (%.2f); ", \
    cost["streams", "cold-800 32"] / bound["800-webp"], cost["streams", "cold-800-jpeg 32"] / bound["800-jpeg"], \
    cost["thumbor", "cold-800 32"] / bound["800-webp"], cost["thumbor", "cold-800-jpeg 32"] / bound["800-jpeg"]
  printf "%.0f times thumbor's rate warm (%.1f times if it keeps results), %.1f times cold at 32 connections (%.1f as JPEG), ", \
    rate["streams", "warm 32"] / rate["thumbor", "warm 32"], rate["streams", "warm 32"] / rate["thumbor-keeping", "warm 32"], \
    rate["streams", "cold-800 32"] / rate["thumbor", "cold-800 32"], rate["streams", "cold-800-jpeg 32"] / rate["thumbor", "cold-800-jpeg 32"]
  printf "its 99th percentile cold %.2f and warm %.3f, its memory %.2f times thumbor's; %d errors\n", \
    slow["streams", "cold-800 32"] / slow["thumbor", "cold-800 32"], slow["streams", "warm 32"] / slow["thumbor", "warm 32"], \
    memory["streams"] / memory["thumbor"], errors
}
