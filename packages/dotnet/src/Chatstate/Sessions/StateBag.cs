using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace Chatstate;

/// <summary>
/// The states of the providers of one session, by key, in the order of their document. They are plain data, read
/// as types only on request.
/// </summary>
/// <remarks>
/// The first typed read reads an entry, and later ones give the same object; what is changed in that object is what
/// is written, beside all that its type does not know. An entry that is not read is written as it is.
/// </remarks>
[Serializable]
[DebuggerDisplay("{ToString(),nq}")]
[JsonConverter(typeof(GeneratedConverter<StateBag>))]
public sealed class StateBag : IJsonType<StateBag>
{
    private readonly OrderedDictionary<string, StateEntry> entries = [];

    /// <summary>Makes a bag without entries.</summary>
    public StateBag()
    {
    }

    internal StateBag(IDictionary<string, JsonElement> states)
    {
        foreach (var (key, state) in states)
        {
            entries[key] = new(state);
        }
    }

    /// <summary>The number of entries.</summary>
    public int Count => entries.Count;

    /// <summary>The keys in order.</summary>
    public IReadOnlyList<string> Keys => entries.Keys;

    /// <summary>Whether there is an entry of this key, be it null.</summary>
    public bool ContainsKey(string key) => entries.ContainsKey(key);

    /// <summary>The entry as a type. Null and absent are distinguished.</summary>
    /// <param name="key">The key.</param>
    /// <param name="options">How the type is read and written; camel case, and strict, if they are left out.</param>
    /// <exception cref="RejectionException">
    /// The value is none of the type (class <see cref="RejectionClass.Schema"/>), or it is in use as another type
    /// (class <see cref="RejectionClass.Semantic"/>). The entry stays what it is.
    /// </exception>
    [RequiresUnreferencedCode(StateTypes.ByReflection)]
    [RequiresDynamicCode(StateTypes.ByReflection)]
    public Optional<T> Get<T>(string key, JsonSerializerOptions? options = null)
        where T : class => Get(key, () => StateTypes.Of<T>(options));

    /// <summary>The entry as a type. Null and absent are distinguished.</summary>
    /// <param name="key">The key.</param>
    /// <param name="type">How the type is read and written.</param>
    /// <exception cref="RejectionException">The same as without <paramref name="type"/>.</exception>
    public Optional<T> Get<T>(string key, JsonTypeInfo<T> type)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(type);
        return Get(key, () => type);
    }

    internal Optional<T> Get<T>(string key, Func<JsonTypeInfo<T>> type)
        where T : class
    {
        if (!entries.TryGetValue(key, out var entry))
        {
            return Optional<T>.Absent;
        }

        return entry.IsNull ? Optional<T>.Null : Optional<T>.Of(At(key, () => entry.Read(type)));
    }

    /// <summary>Sets an entry to a value of a type, which replaces all that was there, of whatever type.</summary>
    /// <exception cref="RejectionException">The key is blank, or the value cannot be written.</exception>
    [RequiresUnreferencedCode(StateTypes.ByReflection)]
    [RequiresDynamicCode(StateTypes.ByReflection)]
    public void Set<T>(string key, T state, JsonSerializerOptions? options = null)
        where T : class => Set(key, state, () => StateTypes.Of<T>(options));

    /// <summary>Sets an entry to a value of a type, which replaces all that was there, of whatever type.</summary>
    /// <param name="key">The key.</param>
    /// <param name="state">The value.</param>
    /// <param name="type">How the type is read and written.</param>
    /// <exception cref="RejectionException">The key is blank, or the value cannot be written.</exception>
    public void Set<T>(string key, T state, JsonTypeInfo<T> type)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(type);
        Set(key, state, () => type);
    }

    internal void Set<T>(string key, T state, Func<JsonTypeInfo<T>> type)
        where T : class
    {
        CheckKey(key);
        ArgumentNullException.ThrowIfNull(state);
        entries[key] = At(key, () => StateEntry.Of(state, type()));
    }

    /// <summary>Sets an entry to any value, null included.</summary>
    /// <exception cref="RejectionException">The key is blank.</exception>
    public void SetValue(string key, JsonElement value)
    {
        CheckKey(key);
        entries[key] = new(value.Clone());
    }

    /// <summary>The entry as it would be written now, without reading it as a type.</summary>
    public bool TryGetValue(string key, out JsonElement value)
    {
        var isThere = entries.TryGetValue(key, out var entry);
        value = entry?.Written() ?? default;
        return isThere;
    }

    /// <summary>Removes an entry, and says whether there was one.</summary>
    public bool Remove(string key) => entries.Remove(key);

    /// <inheritdoc cref="IJsonType{TSelf}.FromJson(string)"/>
    public static StateBag FromJson(string json) => JsonText.Read<StateBag>(json);

    /// <inheritdoc/>
    public static StateBag FromElement(JsonElement element)
    {
        var states = JsonRead.OpenObject(element);
        foreach (var key in states.Keys)
        {
            CheckKey(key);
        }

        return new(states);
    }

    /// <inheritdoc/>
    public string ToJson() => JsonText.Write(this);

    /// <summary>The value as canonical JSON text, which is the same for equal values.</summary>
    [DebuggerBrowsable(DebuggerBrowsableState.Never)]
    public string CanonicalText => JsonEquality.CanonicalOf(this);

    /// <summary>The value as JSON text, cut where it is long.</summary>
    public override string ToString() => JsonEquality.Shown(this);

    /// <inheritdoc/>
    public void WriteTo(Utf8JsonWriter writer) => JsonWrite.OpenObject(writer, Written());

    /// <summary>Rejects providers of one agent of which two have the same key, letter by letter.</summary>
    /// <exception cref="RejectionException">Each would read and write the other's state.</exception>
    public static void CheckProviderKeys(IEnumerable<string> keys)
    {
        var known = new HashSet<string>();
        foreach (var key in keys)
        {
            CheckKey(key);
            if (!known.Add(key))
            {
                throw new RejectionException(
                    RejectionClass.Semantic,
                    "session.provider-conflict",
                    $"two providers have the key `{key}`; give each a key of its own");
            }
        }
    }

    /// <summary>Rejects a blank key.</summary>
    internal static void CheckKey(string key)
    {
        ArgumentNullException.ThrowIfNull(key);
        if (string.IsNullOrWhiteSpace(key))
        {
            throw new RejectionException(
                RejectionClass.Semantic,
                "session.blank-key",
                "the key of an entry is blank; name the provider whose state it is",
                $"/stateBag/{key}");
        }
    }

    internal static T At<T>(string key, Func<T> read)
    {
        try
        {
            return read();
        }
        catch (RejectionException rejection) when (rejection.Within(key) || rejection.Within("stateBag"))
        {
            throw;
        }
    }

    /// <summary>An entry itself, if there is one.</summary>
    internal StateEntry? Entry(string key) => entries.GetValueOrDefault(key);

    /// <summary>Sets an entry itself.</summary>
    /// <exception cref="RejectionException">The key is blank.</exception>
    internal void SetEntry(string key, StateEntry entry)
    {
        CheckKey(key);
        entries[key] = entry;
    }

    internal OrderedDictionary<string, JsonElement> Written() =>
        new(entries.Select(entry => KeyValuePair.Create(entry.Key, entry.Value.Written())));
}
