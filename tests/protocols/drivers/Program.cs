// Reads documents with generated packages and writes them again, as `read.py` does. The arguments are
// subjects: `NAME=ASSEMBLY:TYPE`.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Text.Json;

var subjects = new Dictionary<string, (MethodInfo Read, MethodInfo Write)>();
foreach (var argument in args)
{
    var (name, place) = (argument[..argument.IndexOf('=')], argument[(argument.IndexOf('=') + 1)..]);
    var (assembly, typeName) = (place[..place.IndexOf(':')], place[(place.IndexOf(':') + 1)..]);
    var type = Assembly.Load(assembly).GetExportedTypes().Single(type => type.Name == typeName);
    subjects[name] = (
        type.GetMethod("FromJson", [typeof(string)])!,
        type.GetMethod("ToJson", Type.EmptyTypes)!);
}

while (Console.In.ReadLine() is { } line)
{
    var (name, document) = (line[..line.IndexOf('\t')], line[(line.IndexOf('\t') + 1)..]);
    var (read, write) = subjects[name];
    var answer = new Dictionary<string, string>();
    try
    {
        answer["text"] = (string)write.Invoke(read.Invoke(null, [document]), null)!;
    }
    catch (TargetInvocationException failure) when (failure.InnerException is JsonException rejection)
    {
        answer["rule"] = (string)rejection.GetType().GetProperty("Rule")!.GetValue(rejection)!;
        answer["message"] = rejection.Message;
    }

    Console.Out.WriteLine(JsonSerializer.Serialize(answer));
}
