namespace Chatstate;

/// <summary>What a message is, as far as it decides what events do to it.</summary>
internal enum HeldRole
{
    Assistant,
    Activity,
    Reasoning,
    Other,

    /// <summary>Messages of one id, of which none is an assistant's.</summary>
    Shared,

    /// <summary>Nobody can tell, or whether there is such a message at all.</summary>
    Doubtful,
}

/// <summary>What is left to know of roles.</summary>
internal static class HeldRoles
{
    public static HeldRole Of(string? role) => role switch
    {
        "assistant" => HeldRole.Assistant,
        "activity" => HeldRole.Activity,
        "reasoning" => HeldRole.Reasoning,
        _ => HeldRole.Other,
    };

    /// <summary>The class of messages that a snapshot restates together, or leaves alone when it has none.</summary>
    public static MessageClass? Class(this HeldRole role) => role switch
    {
        HeldRole.Assistant or HeldRole.Other => MessageClass.Conversation,
        HeldRole.Activity => MessageClass.Activities,
        HeldRole.Reasoning => MessageClass.Reasoning,
        _ => null,
    };

    /// <summary>What is left once a snapshot may have taken one of several messages away.</summary>
    public static HeldRole WhenRestated(this HeldRole role) => role == HeldRole.Shared ? HeldRole.Doubtful : role;

    /// <summary>The role of messages of one id, once a tool's result is one of them.</summary>
    public static HeldRole WithResult(this HeldRole role) =>
        role is HeldRole.Assistant or HeldRole.Doubtful ? HeldRole.Doubtful : HeldRole.Shared;
}

/// <summary>A message as it is known.</summary>
/// <param name="Role">Its role.</param>
/// <param name="Digest">Its value; none if something changed it after the run that made it.</param>
/// <param name="Spelling">Its text as it was spelled last, which an input nearly always repeats.</param>
internal readonly record struct KnownMessage(HeldRole Role, ValueDigest? Digest, ValueDigest? Spelling);
