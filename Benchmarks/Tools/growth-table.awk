# growth.tsv: a table in Markdown, and the cliffs: where a share costs half as much again as at some smaller size.

$1 != series {
  series = $1
  titles[++count] = $2
  least = $4
}

{
  line[count] = line[count] sprintf("%s%d: %s", line[count] == "" ? "" : " · ", $3, whole($4))
  if ($4 > least * 1.5 + 5) {
    cliffs[++fallen] = sprintf("- **%s**: %s at %s, %s before", $2, whole($4), whole($3), whole(least))
    least = $4
  }
  if ($4 < least) least = $4
}

END {
  print "# Growth\n"
  print "Instructions, measured by `Scripts/benchmark --growth`. For each size, this is the cost of one share. It should stay constant, or fall while fixed"
  print "costs are spread over more.\n"
  print "![The same as a chart](growth.svg)\n"
  print "| Growing | size: instructions |\n|---|---|"
  for (row = 1; row <= count; row++) print "| " titles[row] " | " line[row] " |"
  print ""
  if (!fallen) print "No cliffs: nowhere does a share cost half as much again as at a smaller size."
  else {
    print "Cliffs, where a share costs half as much again as at a smaller size:\n"
    for (row = 1; row <= fallen; row++) print cliffs[row]
  }
}

# 1,234,567
function whole(number,   digits, grouped) {
  digits = sprintf("%.0f", number)
  while (length(digits) > 3) {
    grouped = "," substr(digits, length(digits) - 2) grouped
    digits = substr(digits, 1, length(digits) - 3)
  }
  return digits grouped
}
