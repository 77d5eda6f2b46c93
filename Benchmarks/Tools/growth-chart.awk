# growth.tsv: a line for each series, both axes logarithmic.

{
  if (!($1 in number)) {
    number[$1] = ++count
    titles[count] = $2
  }
  series = number[$1]
  points[series] = points[series] sprintf("%.1f,%.1f ", x($3), y($4))
  dots = dots sprintf("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\"/>\n", x($3), y($4), colour(series))
}

END {
  height = 420 + count * 18
  print "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"760\" height=\"" height "\" font-family=\"sans-serif\" font-size=\"12\">"
  print "<rect width=\"760\" height=\"" height "\" fill=\"white\"/>"
  for (size = 1; size <= 100000; size *= 10) {
    printf "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"20\" y2=\"370\" stroke=\"#ddd\"/>\n", x(size), x(size)
    printf "<text x=\"%.1f\" y=\"386\" text-anchor=\"middle\">%d</text>\n", x(size), size
  }
  for (cost = 10; cost <= 100000; cost *= 10) {
    printf "<line x1=\"60\" x2=\"740\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>\n", y(cost), y(cost)
    printf "<text x=\"54\" y=\"%.1f\" text-anchor=\"end\">%d</text>\n", y(cost) + 4, cost
  }
  for (row = 1; row <= count; row++) {
    printf "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>\n", points[row], colour(row)
    printf "<rect x=\"60\" y=\"%d\" width=\"12\" height=\"12\" fill=\"%s\"/>", 396 + row * 18, colour(row)
    printf "<text x=\"80\" y=\"%d\">%s</text>\n", 406 + row * 18, titles[row]
  }
  printf "%s", dots
  print "<text x=\"400\" y=\"402\" text-anchor=\"middle\">size</text>"
  print "<text x=\"60\" y=\"14\">instructions a share</text>"
  print "</svg>"
}

function x(size) { return 60 + 680 * log(size) / log(100000) }
function y(cost) { return 370 - 350 * (log(cost < 10 ? 10 : cost) / log(10) - 1) / 4 }
function colour(series) {
  split("#1f77b4 #ff7f0e #2ca02c #d62728 #9467bd #8c564b #e377c2 #17becf", colours, " ")
  return colours[(series - 1) % 8 + 1]
}
