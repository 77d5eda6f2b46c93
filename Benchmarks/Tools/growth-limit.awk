# growth.tsv, of two sizes for each series: prints the exponent of the whole cost, and fails if one exceeds 1.2.

$1 == series {
  exponent = 1 + log($4 / cost) / log($3 / size)
  printf "%s %5.2f  (limit 1.20)  %s\n", exponent > 1.2 ? "SLOW" : "  ok", exponent, $2
  exponent > 1.2 ? broken++ : held++
}

{
  series = $1
  size = $3
  cost = $4
}

END {
  printf "growth: %d held, %d broken\n", held, broken
  exit broken > 0 || held == 0
}
