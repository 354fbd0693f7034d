// Compacts the parsed events of a file of JSON Lines with the package for .NET. Of several passes the fastest counts,
// for a compiler that learns.
using System.Diagnostics;
using Chatstate;

const int Passes = 12;

var lines = File.ReadAllLines(args[0]).Where(line => line.Length > 0).ToList();
var best = double.PositiveInfinity;
var count = 0;
for (var pass = 0; pass < Passes; pass++)
{
    var events = new EventStream(lines.Select(Event.FromJson));
    GC.Collect();
    var watch = Stopwatch.StartNew();
    count = events.Compact().Count;
    best = Math.Min(best, watch.Elapsed.TotalSeconds);
}

var seconds = best.ToString("R", System.Globalization.CultureInfo.InvariantCulture);
Console.WriteLine($"{{\"seconds\":{{\"compaction\":{seconds}}},\"results\":{{\"compaction\":{count}}}}}");
