# links.tsv: a table in Markdown of what a page of images costs over each link, and where goals are missed.
#
# Columns: kbit/s, ms, % lost, way, images, bytes of one, failed, failed for curl, seconds, of curl, of the first image, of
# one alone, % wasted, by curl, errors, commit.

{
  link = $1 "\t" $2
  if (!(link in known)) {
    known[link] = 1
    links[++count] = link
  }
  rows++
  commits[$16] = 1
  ratio = $10 > 0 ? $9 / $10 : 0
  first = $12 > 0 ? $11 / $12 : 0
  text = sprintf("%.2f · %.1f", ratio, first)
  if ($13 >= 3) text = text sprintf(" · %d %%", $13)
  if ($7 > 0 || $8 > 0) text = sprintf("**%d**, %d · ", $7, $8) text
  cell[link, $4, $3] = text
  lost += $7
  curlLost += $8
  if ($7 > $8) beyond++
  # A cell in which curl loses images takes as long as the rest does.
  if ($8 == 0) {
    compared++
    if (ratio > 1.2) slow++
    if (ratio > worst) worst = ratio
  }
  if (first > 2) late++
}

END {
  print "# Links\n"
  print "The last figures of `Scripts/benchmark links`. Each cell is a page of images that are requested at once from nginx, by a new pipeline and by"
  print "curl, each through a relay of its own. Below 1 Mbit/s the images have 12 KB, above 100 KB. There are as many as the link carries in"
  print "half a minute, at least 10 and at most 120. curl has no limit of time, six connections over HTTP/1.1, and a hundred streams over"
  print "HTTP/2, which is over TLS.\n"
  print "A cell shows how long the pipeline takes compared with curl, and when its first image is complete, compared with the time of"
  print "one image that has the link to itself. If at least 3 % of the bytes were sent in vain, there is a third figure. If images were lost,"
  print "the cell begins with their number, and with that of curl.\n"
  for (commit in commits) {
    measured = measured ", " commit
    if (++measurements == 1) measured = commit
  }
  print "Measured on Linux x86-64, at " measured ".\n"
  print "The relay delays what follows a lost packet, but does not slow down its sender, and nobody starts slowly.\n"
  head = "| kbit/s, round trip"
  rule = "|--"
  for (way = 1; way <= 2; way++) for (loss = 1; loss <= 3; loss++) {
    head = head " | " (way == 1 ? "HTTP/1.1" : "HTTP/2") ", " (loss == 1 ? 0 : loss == 2 ? 1 : 5) " %"
    rule = rule "|--"
  }
  print head " | HTTP/1.1 over TLS, 1 % |\n" rule "|--|"
  for (row = 1; row <= count; row++) {
    split(links[row], part, "\t")
    line = "| " part[1] ", " part[2] " ms"
    for (way = 1; way <= 2; way++) for (loss = 1; loss <= 3; loss++)
      line = line " | " show(links[row], way == 1 ? "plain" : "http2", loss == 1 ? 0 : loss == 2 ? 1 : 5)
    print line " | " (part[2] == 300 ? show(links[row], "secure", 1) : "") " |"
  }
  print ""
  printf "links: %d of 175 cells; %d images lost, %d by curl; %d cells with more lost than by curl; ", rows, lost, curlLost, beyond
  printf "%d of %d cells above 1.2 times curl, at worst %.2f; in %d the first image takes more than twice its own time\n", slow, compared, worst, late
}

function show(link, way, loss) { return (link, way, loss) in cell ? cell[link, way, loss] : "" }
