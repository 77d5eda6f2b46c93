# growth.tsv, of two sizes for each series: prints the exponent of the whole cost, and fails if one exceeds 1.2.

$1 == series {
  exponent = 1 + log($4 / cost) / log($3 / size)
  isSlow = (exponent > 1.2)
  printf("%s %5.2f  (limit 1.20)  %s\n", (isSlow ? "SLOW" : "  ok"), exponent, $2)
  broken += isSlow
  count++
}

{
  series = $1
  size = $3
  cost = $4
}

END {
  printf("growth: %d held, %d broken\n", count - broken, broken)
  exit(broken > 0 || count == 0)
}
