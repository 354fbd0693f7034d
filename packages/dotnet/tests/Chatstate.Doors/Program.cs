// Every door through which values of the package are saved, over every public type. Prints what is otherwise than
// the page says, and how many doors there are. With the argument `table` it prints the table of the page, with `corpus`
// and a folder of cases it takes their documents through the doors that take any type.

using Chatstate.Doors;

if (args is ["table"])
{
    Console.Write(Page.Table);
    return 0;
}

if (args is ["corpus", var folder])
{
    var lost = Corpus.Faults(folder).ToList();
    lost.ForEach(Console.WriteLine);
    Console.WriteLine($"{Directory.GetFiles(folder).Length} documents, {Serializers.OfAnyType.Length} doors, {lost.Count} faults");
    return lost.Count == 0 ? 0 : 1;
}

var unequal = Values.Faults().ToList();
unequal.ForEach(fault => Console.WriteLine($"equality\n  {fault}"));
var failed = unequal.Count;
foreach (var door in Page.Doors)
{
    if (door.Missing is { } missing)
    {
        Console.WriteLine($"NOT RUN {door.Call}: {missing}");
        continue;
    }

    var faults = door.Faults().ToList();
    failed += faults.Count > 0 ? 1 : 0;
    faults.ForEach(fault => Console.WriteLine($"{door.Call}\n  {fault}"));
}

Console.WriteLine($"{Page.Doors.Count} doors, {PublicTypes.All.Count} types, {failed} failed");
return failed == 0 ? 0 : 1;
