namespace Chatstate;

/// <summary>An event that a program has made and no reader takes.</summary>
internal static class UnwritableEvent
{
    /// <summary>Why the event of this index cannot be written; nothing if it can.</summary>
    public static RejectionException? Rejection(Event happened, int index)
    {
        try
        {
            JsonText.Check(happened);
            return null;
        }
        catch (RejectionException rejection)
        {
            _ = rejection.Within(index);
            return rejection;
        }
    }

    /// <summary>
    /// Why the event of this index is rejected, at which a value turned out to be one that no reader takes. The value may be
    /// of an earlier event, which is not looked into before.
    /// </summary>
    public static RejectionException Rejection(Event happened, int index, RejectionException met) =>
        Rejection(happened, index) ?? new(met.Class, met.Rule, met.Sentence, $"/{index}");
}
