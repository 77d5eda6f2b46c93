# goals, titles and the figures: the page of Docs/benchmarks.

{ file = FILENAME; sub(/.*\//, "", file); sub(/\.tsv/, "", file) }
file == "goals" { must[$1] = $2; stretch[$1] = $3 }
file == "titles" { title[$1] = $2 }
file == "streams" { rows[++count] = $1; values[$1] = $3; runs[$1] = $4; locked[$1] = $5 }
file == "machine" { processor = $1; lockedTime = $2; next }
file == "times" { time[$1, $2] = $3; next }
{ cost[file, $1] = $2 }

END {
  print "# Cost of a value\n"
  print "Instructions per value, counted by callgrind in release builds, with client and library in separate modules. `Scripts/benchmark streams` makes this"
  print "page. Each row has the same source for Streams and for OpenCombine 0.14.0 (`Benchmarks/Sources/StreamsRows/Workloads`). *Async* is"
  print "swift-async-algorithms 1.1.4, whose chains often have another shape. *Hand* is code written by hand for the row: `Benchmarks/Sources/Limits`."
  print "*Locked* are the atomic read-modify-writes among the instructions, without those of the runtime. *Nanoseconds* is the time of a value on the processor"
  printf "%s, where a locked instruction takes %.1f ns. *Time* is that of OpenCombine, relative to Streams, in runs that took turns.\n", processor, lockedTime
  print "*Allocations* are those of a value, and in brackets those of a run without values: creating the chain, subscribing and cancelling. *Must* is the"
  print "ceiling of a row. The counts of e1, f2 and g1 depend on how threads take turns, and rise on a busy machine.\n"
  print "![Streams and OpenCombine, row by row](rows.svg)\n"
  print "| Row | Streams | Locked | Nanoseconds | OpenCombine | Ratio | Time | Async | Hand | Allocations | Must |"
  print "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
  for (row = 1; row <= count; row++) line(rows[row])
  print ""
  printf "geometric mean %.1f against OpenCombine, which has %d of the %d rows, lowest %.1f (%s)\n\n", \
    exp(sum / held), held, count, lowest, lowestRow
  if (timed) printf "In time, geometric mean %.1f, lowest %.1f (%s).\n\n", exp(timeSum / timed), slowest, slowestRow
  printf "Ahead of async-algorithms in %d of %d rows%s.\n", ahead, met, behind == "" ? "" : "; behind in" behind
  printf "Within 1.5 times what is written by hand in %d of %d%s.\n", near, written, far == "" ? "" : "; not in" far
  printf "Under the ceiling in %d of %d%s.\n", under, ceilings, over == "" ? "" : "; not in" over
}

function line(name,   ours, theirs, other, hand, ratio, rival) {
  ours = cost["streams", name]
  theirs = cost["opencombine", name]
  other = cost["async-algorithms", name]
  # Where batches grow with the number of values, more of them may cost less: there is nothing to compare with.
  hand = cost["limits", name] > 0 ? cost["limits", name] : ""
  if (theirs != "") {
    ratio = theirs / ours
    sum += log(ratio)
    held++
  }
  if (pace(name) != "") {
    timeSum += log(pace(name))
    timed++
    if (slowestRow == "" || pace(name) < slowest) {
      slowest = pace(name)
      slowestRow = name
    }
  }
  # What OpenCombine lacks is held against the best other peer.
  rival = theirs == "" ? other / ours : ratio
  if (lowestRow == "" || rival < lowest) {
    lowest = rival
    lowestRow = name
  }
  if (other != "") {
    met++
    if (ours < other) ahead++
    else behind = behind " " name
  }
  if (hand != "") {
    written++
    if (ours <= hand * 1.5) near++
    else far = far sprintf(" %s (%.1f)", name, ours / hand)
  }
  if (name in must) {
    ceilings++
    if (ours <= must[name]) under++
    else over = over " " name
  }
  printf "| **%s** %s | %s | %s | %s | %s | %s | %s | %s | %s | %s (%s) | %s |\n", name, title[name], whole(ours),
    locked[name], times(time[name, "StreamsRows"]), whole(theirs), times(ratio), times(pace(name)), whole(other), whole(hand), values[name] + 0, runs[name] + 0,
    name in must ? whole(must[name]) (ours <= must[name] ? " met" : " **not met**") : ""
}

function pace(name) {
  return (name, "OpenCombineRows") in time ? time[name, "OpenCombineRows"] / time[name, "StreamsRows"] : ""
}

function times(ratio) { return ratio == "" ? "" : sprintf(ratio < 9.95 ? "%.1f" : "%.0f", ratio) }

# 1,234,567
function whole(number,   digits, grouped) {
  if (number == "") return ""
  digits = sprintf("%.0f", number)
  while (length(digits) > 3) {
    grouped = "," substr(digits, length(digits) - 2) grouped
    digits = substr(digits, 1, length(digits) - 3)
  }
  return digits grouped
}
