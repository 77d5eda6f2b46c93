# titles, Streams, OpenCombine: two bars for each row, on a logarithmic scale.

FILENAME ~ /titles/ { title[$1] = $2 }
FILENAME ~ /streams/ { rows[++count] = $1; ours[$1] = $2 }
FILENAME ~ /opencombine/ { theirs[$1] = $2 }

END {
  height = 60 + count * 30
  print "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"980\" height=\"" height "\" font-family=\"sans-serif\" font-size=\"12\">"
  print "<rect width=\"980\" height=\"" height "\" fill=\"white\"/>"
  print "<text x=\"10\" y=\"18\">Instructions a value, logarithmic: <tspan fill=\"#1f77b4\">Streams</tspan>,"
  print "<tspan fill=\"#c0392b\">OpenCombine 0.14.0</tspan></text>"
  for (cost = 10; cost <= 100000; cost *= 10) {
    printf "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"40\" y2=\"%d\" stroke=\"#ddd\"/>", x(cost), x(cost), height - 10
    printf "<text x=\"%.1f\" y=\"36\" text-anchor=\"middle\" fill=\"#666\">%d</text>\n", x(cost), cost
  }
  for (row = 1; row <= count; row++) {
    name = rows[row]
    top = 20 + row * 30
    gsub(/&/, "\\&amp;", title[name])
    printf "<text x=\"10\" y=\"%d\">%s  %s</text>", top + 14, name, title[name]
    bar(top, ours[name], "#1f77b4")
    if (name in theirs) bar(top + 11, theirs[name], "#c0392b")
    print ""
  }
  print "</svg>"
}

function bar(top, cost, colour) {
  printf "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"10\" fill=\"%s\"/>", x(1), top, x(cost) - x(1), colour
  printf "<text x=\"%.1f\" y=\"%d\" font-size=\"10\">%.0f</text>", x(cost) + 3, top + 9, cost
}
function x(cost) { return 380 + 540 * log(cost < 1 ? 1 : cost) / log(100000) }
