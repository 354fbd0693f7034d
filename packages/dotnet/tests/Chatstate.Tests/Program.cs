// What the generated types do, beyond what the corpus can ask: one row for each thing. Prints what is
// otherwise than expected, and how many rows there are.

using Chatstate.Tests;

if (args is [StoreRows.FullDiskArgument, var limited])
{
    await StoreRows.AppendToFullDisk(limited);
    return 0;
}

Row[] rows =
[
    .. TrapRows.Presence,
    .. TrapRows.Unions,
    .. TrapRows.Open,
    .. TrapRows.Limits,
    .. TrapRows.Values,
    .. ChatRows.Open,
    .. ChatRows.Serializer,
    .. ChatRows.Runtime,
    .. EventRows.Order,
    .. EventRows.Meaning,
    .. EventRows.Compaction,
    .. LongThreadRows.All,
    .. UnwritableRows.All,
    .. StoreRows.Memory,
    .. StoreRows.File,
    .. StoreRows.Torn,
    .. StoreRows.FullDisk,
    .. LineRows.All,
    .. ScenarioRows.All,
    .. ValueRows.Refusals,
    .. ValueRows.Equality,
    .. SessionRows.Sessions,
    .. SessionRows.Restores,
    .. SessionRows.Assertions,
    .. EqualityRows.All("equality.json"),
    .. NameRows.All("names.json"),
];
var failed = 0;
foreach (var row in rows)
{
    var found = row.Outcome();
    if (found != row.Expected)
    {
        failed++;
        Console.WriteLine($"{row.Name}\n  expected {row.Expected}\n  found    {found}");
    }
}

Console.WriteLine($"{rows.Length} rows, {failed} failed");
return failed == 0 ? 0 : 1;
