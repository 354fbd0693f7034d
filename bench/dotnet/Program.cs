// Measures the package for .NET and prints what it found as one JSON object: `compaction LOG`, `snapshot LOG OUTPUT`
// with files of JSON Lines, or `reading CHAT EVENTS` with a chat and an array of events.
using System.Text.Json;
using Chatstate.Bench;

var answer = args switch
{
    ["compaction", var log] => Compaction.OfParsed(log),
    ["snapshot", var log, var output] => await Compaction.ToSnapshots(log, output),
    ["reading", var chat, var events] => Reading.Compared(chat, events),
    _ => throw new ArgumentException("say `compaction LOG`, `snapshot LOG OUTPUT` or `reading CHAT EVENTS`"),
};
Console.WriteLine(JsonSerializer.Serialize(answer));
