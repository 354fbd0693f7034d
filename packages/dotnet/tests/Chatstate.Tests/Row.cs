namespace Chatstate.Tests;

/// <summary>One thing that is asked, and what is expected: a text, or how it is rejected.</summary>
internal sealed record Row(string Name, string Expected, Func<string> Actual)
{
    /// <summary>What the row gives, or the rule and the place of the rejection.</summary>
    public string Outcome()
    {
        try
        {
            return Actual();
        }
        catch (Chatstate.RejectionException rejection)
        {
            return $"{rejection.Rule} at {rejection.At}";
        }
        catch (Traps.RejectionException rejection)
        {
            return $"{rejection.Rule} at {rejection.At}";
        }
        catch (Exception exception)
        {
            return exception.Message;
        }
    }
}
