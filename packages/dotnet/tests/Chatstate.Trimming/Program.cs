// Finds the members of the package that use what a trimmed or natively compiled program may lack, and do not say so, as the
// analyzers of the SDK do. What types have that are only known when the program runs (`DynamicallyAccessedMembers`) is not
// followed.
using System.Reflection;
using Chatstate.Trimming;

var planted = Uses.In(typeof(Planted).Assembly).Where(use => use.Contains(nameof(Planted))).ToList();
if (!planted.SequenceEqual(Planted.Expected))
{
    Console.Error.WriteLine($"of what was planted, this was found:\n{string.Join('\n', planted)}");
    return 1;
}

var package = typeof(Chatstate.Session).Assembly;
var said = package.GetCustomAttributes<AssemblyMetadataAttribute>().Where(said => said.Value == "True").Select(said => said.Key);
if (!said.Order().SequenceEqual(["IsAotCompatible", "IsTrimmable"]))
{
    Console.Error.WriteLine($"the package says of itself: {string.Join(", ", said)}");
    return 1;
}

var found = Uses.In(package).ToList();
found.ForEach(Console.Error.WriteLine);
Console.WriteLine($"{found.Count} members use what trimming may remove, and do not say so");
return found.Count == 0 ? 0 : 1;
