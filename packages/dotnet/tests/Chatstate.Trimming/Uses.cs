using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace Chatstate.Trimming;

/// <summary>Uses of members that say what they require, by members that do not.</summary>
internal static class Uses
{
    private const BindingFlags All = BindingFlags.Public
        | BindingFlags.NonPublic
        | BindingFlags.Instance
        | BindingFlags.Static
        | BindingFlags.DeclaredOnly;

    /// <summary>The attributes that say it, and the warnings of the SDK about a use.</summary>
    private static readonly (Type Attribute, string Warning)[] Requirements =
    [
        (typeof(RequiresUnreferencedCodeAttribute), "IL2026"),
        (typeof(RequiresDynamicCodeAttribute), "IL3050"),
        (typeof(RequiresAssemblyFilesAttribute), "IL3002"),
    ];

    /// <summary>The uses in an assembly, one in a line, in order.</summary>
    public static IEnumerable<string> In(Assembly assembly)
    {
        var bodies = assembly.GetTypes()
            .SelectMany(type => type.GetMethods(All).Concat<MethodBase>(type.GetConstructors(All)))
            .ToDictionary(method => method, method => Instructions.MembersUsedBy(method).ToList());
        var owners = Owners(bodies);
        var uses =
            from body in bodies
            from used in body.Value
            from requirement in Requirements
            where Says(used, requirement.Attribute)
            from owner in OwnersOf(body.Key, owners)
            where !Says(owner, requirement.Attribute) && !IsSuppressed(owner, requirement.Warning)
            select $"{requirement.Warning}: {Shown(owner)} uses {Shown(used)}";
        return uses.Distinct().Order(StringComparer.Ordinal);
    }

    /// <summary>The members that have what the compiler has made of them: lambdas, iterators and asynchronous methods.</summary>
    private static ILookup<MemberInfo, MethodBase> Owners(Dictionary<MethodBase, List<MethodBase>> bodies)
    {
        var lambdas =
            from body in bodies
            from used in body.Value
            where IsMade(used)
            select (Made: (MemberInfo)Definition(used), Owner: body.Key);
        var machines =
            from body in bodies
            let machine = body.Key.GetCustomAttribute<StateMachineAttribute>()?.StateMachineType
            where machine is not null
            select (Made: (MemberInfo)machine, Owner: body.Key);
        return lambdas.Concat(machines).ToLookup(pair => pair.Made, pair => pair.Owner);
    }

    /// <summary>The members that a programmer wrote which contain a body.</summary>
    private static IEnumerable<MethodBase> OwnersOf(MethodBase method, ILookup<MemberInfo, MethodBase> owners)
    {
        var direct = owners[method].Concat(owners[method.DeclaringType!]).Where(owner => owner != method).ToList();
        return IsMade(method) && direct.Count > 0 ? direct.SelectMany(owner => OwnersOf(owner, owners)) : [method];
    }

    private static bool IsMade(MethodBase method) =>
        method.Name.StartsWith('<') || method.DeclaringType is { } type && type.Name.StartsWith('<');

    /// <summary>A method without the arguments that one of its uses gives it.</summary>
    private static MethodBase Definition(MethodBase method) =>
        method.Module.ResolveMethod(method.MetadataToken) ?? method;

    private static bool Says(MethodBase method, Type attribute) =>
        method.IsDefined(attribute, inherit: false)
        || (method.DeclaringType is { } type && (method.IsConstructor || method.IsStatic) && type.IsDefined(attribute, inherit: false));

    /// <summary>Whether it says why it may. Without a reason it may not.</summary>
    private static bool IsSuppressed(MethodBase method, string warning) =>
        method.GetCustomAttributes<UnconditionalSuppressMessageAttribute>()
            .Any(suppressed => suppressed.CheckId.StartsWith(warning, StringComparison.Ordinal) && suppressed.Justification is { Length: > 0 });

    private static string Shown(MethodBase method) => $"{method.DeclaringType?.Name}.{method.Name}";
}
