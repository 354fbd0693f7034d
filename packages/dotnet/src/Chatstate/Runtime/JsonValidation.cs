using System;

namespace Chatstate;

/// <summary>Whether a value that a program made is one that its reader accepts.</summary>
public static class JsonValidation
{
    /// <summary>Rejects what <see cref="IJsonWritable.ToJson"/> rejects.</summary>
    /// <param name="document">The value.</param>
    /// <exception cref="RejectionException">The value has something that readers reject; it says where, and which rule is broken.</exception>
    public static void Validate(this IJsonWritable document)
    {
        ArgumentNullException.ThrowIfNull(document);
        JsonText.Check(document);
    }
}
