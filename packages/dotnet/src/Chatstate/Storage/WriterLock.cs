using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Net;
using System.Text;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;

namespace Chatstate.Storage;

/// <summary>
/// One writer at a time, of all processes and languages: a file beside a log that is there as long as somebody writes
/// to the files of its thread.
/// </summary>
/// <remarks>
/// Its first line says who writes. Before events are written, a second one says how long the log is, so that what a
/// writer leaves that fails or dies is taken away by itself or by the next one, and read by nobody.
/// </remarks>
internal sealed class WriterLock
{
    private const int Attempts = 500;
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(10);

    private readonly string log;
    private readonly string path;
    private long? before;

    private WriterLock(string log)
    {
        this.log = log;
        path = LockOf(log);
    }

    private string Claim => path + ".old";

    /// <summary>Writes to the files of a thread while no other process does.</summary>
    /// <remarks>After an error, the log is as long as it was, or else it stays locked.</remarks>
    /// <exception cref="RejectionException">Another writer keeps the lock.</exception>
    public static async Task<T> HoldAsync<T>(
        string log, Func<WriterLock, Task<T>> write, CancellationToken cancellationToken)
    {
        var held = new WriterLock(log);
        await held.TakeAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            var written = await write(held).ConfigureAwait(false);
            File.Delete(held.path);
            return written;
        }
        catch
        {
            if (held.before is { } length)
            {
                TakeBack(log, length);
            }

            File.Delete(held.path);
            throw;
        }
    }

    /// <summary>The length of a log without what is being appended now.</summary>
    public static long AppendedLength(string log)
    {
        var file = new FileInfo(log);
        var length = file.Exists ? file.Length : 0;
        // The lock is read after the length: if it is gone by now, the append was whole or taken back.
        return Math.Min(length, Read(LockOf(log))?.Length ?? length);
    }

    /// <summary>Says how long the log is, before anything is written to it.</summary>
    public void Keep(long length)
    {
        before = length;
        using var file = Open(path, FileMode.Append);
        file.Write(Encoding.UTF8.GetBytes(string.Create(CultureInfo.InvariantCulture, $"{{\"length\":{length}}}\n")));
    }

    private static string LockOf(string log) => Path.ChangeExtension(log, ".lock");

    private async Task TakeAsync(CancellationToken cancellationToken)
    {
        var mine = OwnLine();
        Held? seen = null;
        for (var times = 0; times < Attempts; times++)
        {
            if (IsTaken(mine))
            {
                return;
            }

            if (!TakeFromDead(nameless: false))
            {
                await Task.Delay(Pause, cancellationToken).ConfigureAwait(false);
            }

            // As long as others take turns, this one waits for its own.
            var held = Read(path);
            times = held == seen ? times : 0;
            seen = held;
        }

        // Who has not said in all this time who it is was killed before it could.
        if (TakeFromDead(nameless: true) && IsTaken(mine))
        {
            return;
        }

        var who = Read(path)?.Owner is { } owner ? $"process {owner.Process} on `{owner.Host}`" : "a process";
        throw new RejectionException(
            RejectionClass.Semantic,
            "store.locked",
            $"`{path}` says that {who} writes to this thread; try again, or if none does, remove it and `{Claim}`");
    }

    private bool IsTaken(string mine) =>
        // A process that was suspended before it wrote this may have been taken for dead.
        IsMadeAnew(path, mine) && TextOf(path) == mine;

    /// <summary>Makes a file with a text, unless it is there. Gives whether it was made.</summary>
    private static bool IsMadeAnew(string path, string text)
    {
        FileStream file;
        try
        {
            file = Open(path, FileMode.CreateNew);
        }
        catch (IOException error) when (error.HResult is 17 or unchecked((int)0x80070050))
        {
            // By what Linux, macOS and Windows say, it is there.
            return false;
        }

        try
        {
            using (file)
            {
                file.Write(Encoding.UTF8.GetBytes(text));
            }
        }
        catch
        {
            File.Delete(path);
            throw;
        }

        return true;
    }

    private static FileStream Open(string path, FileMode mode) => new(path, new FileStreamOptions
    {
        Mode = mode,
        Access = mode == FileMode.Open ? FileAccess.Read : FileAccess.Write,
        Share = FileShare.ReadWrite | FileShare.Delete,
        BufferSize = 0,
    });

    private static string OwnLine()
    {
        var process = Environment.ProcessId;
        return $"{{\"host\":\"{JsonEncodedText.Encode(Host())}\",\"pid\":{process},\"started\":\"{StartOf(process)}\"}}\n";
    }

    /// <summary>Removes the lock of a writer that died. Only who has the claim does, so that no other lock is removed.</summary>
    private bool TakeFromDead(bool nameless)
    {
        if (!IsDead(Read(path), nameless) || !IsMadeAnew(Claim, ""))
        {
            return false;
        }

        try
        {
            var held = Read(path);
            if (IsDead(held, nameless))
            {
                if (held?.Length is { } length)
                {
                    TakeBack(log, length);
                }

                File.Delete(path);
            }
        }
        finally
        {
            File.Delete(Claim);
        }

        return true;
    }

    private static void TakeBack(string log, long length)
    {
        if (length == 0)
        {
            File.Delete(log);
            return;
        }

        using var file = Open(log, FileMode.OpenOrCreate);
        if (file.Length > length)
        {
            file.SetLength(length);
        }
    }

    /// <summary>Reads a lock, if there is one. What has no line feed yet is not said.</summary>
    private static Held? Read(string path)
    {
        if (TextOf(path) is not { } text)
        {
            return null;
        }

        var lines = text.Split('\n')[..^1];
        return new Held(
            lines.Length > 0 ? OwnerOf(lines[0]) : null,
            lines.Length > 1 ? LengthOf(lines[1]) : null);
    }

    private static string? TextOf(string path)
    {
        try
        {
            using var file = new StreamReader(Open(path, FileMode.Open), Encoding.UTF8);
            return file.ReadToEnd();
        }
        catch (FileNotFoundException)
        {
            return null;
        }
    }

    private static Owner OwnerOf(string line)
    {
        using var document = JsonDocument.Parse(line);
        var owner = document.RootElement;
        return new Owner(
            owner.GetProperty("host").GetString() ?? "",
            owner.GetProperty("pid").GetInt32(),
            owner.GetProperty("started").GetString() ?? "");
    }

    private static long LengthOf(string line)
    {
        using var document = JsonDocument.Parse(line);
        return document.RootElement.GetProperty("length").GetInt64();
    }

    /// <summary>Whether the writer is a process of this machine that is not there any more, or one without a name.</summary>
    private static bool IsDead(Held? held, bool nameless) => held switch
    {
        null => false,
        { Owner: null } => nameless,
        { Owner: var owner } => owner.Host == Host()
            && (!IsRunning(owner.Process) || StartOf(owner.Process) != owner.Started),
    };

    private static bool IsRunning(int process)
    {
        try
        {
            Process.GetProcessById(process).Dispose();
            return true;
        }
        catch (ArgumentException)
        {
            return false;
        }
    }

    /// <summary>The machine, and on Linux what its process ids are of, since containers have their own ones.</summary>
    private static string Host() =>
        new FileInfo("/proc/self/ns/pid").LinkTarget is { } namespaceOfIds ? $"{Dns.GetHostName()} {namespaceOfIds}" : Dns.GetHostName();

    /// <summary>
    /// When a process was started, as Linux counts it; empty elsewhere, and for one that has ended. An id is used again by
    /// later processes.
    /// </summary>
    private static string StartOf(int process)
    {
        string text;
        try
        {
            text = File.ReadAllText($"/proc/{process}/stat", Encoding.Latin1);
        }
        catch (Exception error) when (error is FileNotFoundException or DirectoryNotFoundException)
        {
            return "";
        }

        var fields = text[(text.LastIndexOf(')') + 2)..].Split(' ');
        return fields[0] is "Z" or "X" ? "" : fields[19];
    }

    /// <summary>Who writes.</summary>
    private sealed record Owner(string Host, int Process, string Started);

    /// <summary>What a lock says.</summary>
    /// <param name="Owner">Who has it; nothing before its writer could say so.</param>
    /// <param name="Length">How long the log was before the events that are being appended.</param>
    private sealed record Held(Owner? Owner, long? Length);
}
