using System.Buffers.Binary;
using System.Reflection;
using System.Reflection.Emit;

namespace Chatstate.Trimming;

/// <summary>The instructions of methods.</summary>
internal static class Instructions
{
    private static readonly Dictionary<short, OpCode> Codes = typeof(OpCodes)
        .GetFields(BindingFlags.Public | BindingFlags.Static)
        .Select(field => (OpCode)field.GetValue(null)!)
        .ToDictionary(code => code.Value);

    /// <summary>The methods and constructors that a body calls or takes a reference to.</summary>
    public static IEnumerable<MethodBase> MembersUsedBy(MethodBase method)
    {
        var body = method.GetMethodBody()?.GetILAsByteArray() ?? [];
        var typeArguments = method.DeclaringType!.GetGenericArguments();
        var methodArguments = method.IsGenericMethodDefinition ? method.GetGenericArguments() : [];
        for (var place = 0; place < body.Length;)
        {
            var code = CodeAt(body, ref place);
            if (code.OperandType is OperandType.InlineMethod or OperandType.InlineTok)
            {
                var token = BinaryPrimitives.ReadInt32LittleEndian(body.AsSpan(place));
                if (method.Module.ResolveMember(token, typeArguments, methodArguments) is MethodBase used)
                {
                    yield return used;
                }
            }

            place += Length(code, body, place);
        }
    }

    private static OpCode CodeAt(byte[] body, ref int place)
    {
        var first = body[place++];
        return Codes[first == 0xfe ? BinaryPrimitives.ReadInt16BigEndian([first, body[place++]]) : first];
    }

    /// <summary>The bytes of an operand.</summary>
    private static int Length(OpCode code, byte[] body, int place) => code.OperandType switch
    {
        OperandType.InlineNone => 0,
        OperandType.ShortInlineBrTarget or OperandType.ShortInlineI or OperandType.ShortInlineVar => 1,
        OperandType.InlineVar => 2,
        OperandType.InlineI8 or OperandType.InlineR => 8,
        OperandType.InlineSwitch => 4 + (4 * BinaryPrimitives.ReadInt32LittleEndian(body.AsSpan(place))),
        _ => 4,
    };
}
