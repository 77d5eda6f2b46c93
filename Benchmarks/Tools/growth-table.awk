# growth.tsv, then memory.tsv: tables in Markdown, and the cliffs: where a share costs half as much again as at some smaller
# size.

FILENAME ~ /memory/ {
  bytes[++kinds] = sprintf("| %s | %s | %s |", $1, whole($2), whole($3))
  next
}

$1 != series {
  series = $1
  titles[++count] = $2
  least = $4
}

{
  if (line[count] != "") exponent[count] = sprintf("%.2f", 1 + log($4 / before) / log($3 / size))
  size = $3
  before = $4
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
  print "costs are spread over more. The exponent is that of the whole cost, between the two largest sizes. `Scripts/floors` fails if one\nexceeds 1.2, up to a size of 10,000, and up to 32 stages of one type: swiftc does not specialise deeper ones.\n"
  print "![The same as a chart](growth.svg)\n"
  print "| Growing | size: instructions | exponent |\n|---|---|---|"
  for (row = 1; row <= count; row++) print "| " titles[row] " | " line[row] " | " exponent[row] " |"
  print ""
  if (!fallen) print "No cliffs: nowhere does a share cost half as much again as at a smaller size."
  else {
    print "Cliffs, where a share costs half as much again as at a smaller size:\n"
    for (row = 1; row <= fallen; row++) print cliffs[row]
  }
  print "\nThe resident memory of requests that wait for their turn, each with a URL of its own unless they are for one image:\n"
  print "| Requests | waiting | bytes each |\n|---|---|---|"
  for (row = 1; row <= kinds; row++) print bytes[row]
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
