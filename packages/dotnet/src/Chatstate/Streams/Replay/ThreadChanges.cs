using System.Collections.Generic;

namespace Chatstate;

/// <summary>What a run changed in the messages, so that those before it need not be kept.</summary>
/// <param name="Places">By the places that changed, the message that was there.</param>
/// <param name="Whole">The messages before the run, if their places are others now.</param>
internal sealed record ThreadChanges(IReadOnlyCollection<KeyValuePair<MessagePlace, ThreadMessage?>> Places, MessageThread? Whole);
