# The table of `Scripts/benchmark server`, from its figures.

{ row = $2 " " $3; rate[$1, row] = $4; median[$1, row] = $5; slow[$1, row] = $6; errors += $8; cost[$1, row] = $9 }
$2 == "memory" { memory[$1] = $4 / 1024; errors -= $8 }
$2 == "crowd" { crowd = $4; crowdSlow = $6; crowdErrors = $8; grown = $9 }

function line(title, row,    name) {
  printf "| %s ", title
  for (name = 1; name <= 3; name++) printf "| %s | %s | %s ", rate[names[name], row], slow[names[name], row], cost[names[name], row]
  printf "|\n"
}

END {
  split("streams thumbor thumbor-keeping", names, " ")
  split("1 32 200", widths, " ")
  print "# A thumbnail server"
  print ""
  print "The last figures of `Scripts/benchmark server`: [Examples/ThumbnailServer](../../Examples/ThumbnailServer) beside thumbor 7.8.0 with two"
  print "processes. Thumbnails have 320 pixels and are WebP, the images come from one nginx, and wrk runs on the same machine of two cores. Each"
  print "group has thumbnails per second, the 99th percentile in milliseconds, and milliseconds of processor time per thumbnail. *Cold* thumbnails are"
  print "new, of images of 800 × 600 and of 1600 × 1200 pixels; *warm* ones were made before. \"Keeping\" is thumbor with its file storage of results,"
  print "which is off by default."
  print ""
  print "| Connections | Streams | 99 % | CPU | thumbor | 99 % | CPU | thumbor, keeping | 99 % | CPU |"
  print "|---|---|---|---|---|---|---|---|---|---|"
  for (width = 1; width <= 3; width++) line("cold, 800 × 600, " widths[width], "cold-800 " widths[width])
  line("the same as JPEG, 32", "cold-800-jpeg 32")
  for (width = 1; width <= 3; width++) line("cold, 1600 × 1200, " widths[width], "cold-1600 " widths[width])
  line("the same as JPEG, 32", "cold-1600-jpeg 32")
  for (width = 1; width <= 3; width++) line("warm, " widths[width], "warm " widths[width])
  print ""
  printf "Memory after the cold ones, pages that processes share counted once: %d MB, thumbor %d MB. ", memory["streams"], memory["thumbor"]
  printf "A thousand connections for a minute, all cold: %.0f a second, %d errors, memory %+d %% fifteen seconds later.\n\n", crowd, crowdErrors, grown
  printf "server: %.0f times thumbor warm (%.1f times if it keeps results), %.1f times cold at 32 connections (%.1f as JPEG), ", \
    rate["streams", "warm 32"] / rate["thumbor", "warm 32"], rate["streams", "warm 32"] / rate["thumbor-keeping", "warm 32"], \
    rate["streams", "cold-800 32"] / rate["thumbor", "cold-800 32"], rate["streams", "cold-800-jpeg 32"] / rate["thumbor", "cold-800-jpeg 32"]
  printf "its 99th percentile cold %.2f and warm %.3f, its memory %.2f times thumbor's; %d errors\n", \
    slow["streams", "cold-800 32"] / slow["thumbor", "cold-800 32"], slow["streams", "warm 32"] / slow["thumbor", "warm 32"], \
    memory["streams"] / memory["thumbor"], errors
}
