// The laws of SPEC.md, held over generated event streams, complete and cut off: `Laws [STREAMS] [SEED]`. Prints each
// stream that breaks one, and how many there were.

using System.Globalization;
using Chatstate.Laws;

var count = args.Length > 0 ? int.Parse(args[0], CultureInfo.InvariantCulture) : 200;
var seed = args.Length > 1 ? int.Parse(args[1], CultureInfo.InvariantCulture) : 1;
var (events, broken) = (0, 0);
for (var number = 0; number < count; number++)
{
    var random = new Random((seed * 1_000_003) + number);
    var stream = new StreamGenerator(random).Valid();
    events += stream.Count;
    foreach (var breach in Law.All.SelectMany(law => law.Breaches(stream, random)))
    {
        broken++;
        Console.WriteLine($"stream {number} of seed {seed}: {breach}\n  {stream.ToJson()}");
    }
}

Console.WriteLine($"{count} streams, {events} events, {Law.All.Count} laws, {broken} broken");
return broken == 0 && events > count * 5 ? 0 : 1;
