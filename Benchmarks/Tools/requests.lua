-- For wrk: requests of PATH, in which %d is a number: a new one each time from START on, or one of DISTINCT.
-- At the end, one line: requests a second, median and 99th percentile in milliseconds, requests, errors.

local number = tonumber(os.getenv("START") or "0")
local distinct = tonumber(os.getenv("DISTINCT") or "0")
local path = os.getenv("PATH_PATTERN")

request = function()
  number = number + 1
  return wrk.format("GET", string.format(path, distinct > 0 and number % distinct or number))
end

done = function(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    "%.1f %.1f %.1f %d %d\n", summary.requests / summary.duration * 1e6, latency:percentile(50) / 1000,
    latency:percentile(99) / 1000, summary.requests,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
