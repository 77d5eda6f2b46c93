-- For wrk: requests of PATH, in which %d is a number: a new one each time from START on, or one of DISTINCT.
-- Of WEIGHTED paths (one a line), each request takes one at random, after a pause of PAUSE milliseconds.
-- At the end, one line: requests a second, median and 99th percentile in milliseconds, requests, errors.

local number = tonumber(os.getenv("START") or "0")
local distinct = tonumber(os.getenv("DISTINCT") or "0")
local pause = tonumber(os.getenv("PAUSE") or "0")
local paths = {}
for path in (os.getenv("WEIGHTED") or os.getenv("PATH_PATTERN")):gmatch("[^\n]+") do paths[#paths + 1] = path end

request = function()
  number = number + 1
  local path = paths[math.random(#paths)]
  return wrk.format("GET", string.format(path, distinct > 0 and number % distinct or number))
end

if pause > 0 then
  delay = function() return pause end
end

done = function(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    "%.1f %.1f %.1f %d %d\n", summary.requests / summary.duration * 1e6, latency:percentile(50) / 1000,
    latency:percentile(99) / 1000, summary.requests,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
