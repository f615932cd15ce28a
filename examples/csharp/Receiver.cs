using System;
using System.Collections.Generic;
using System.Collections.Specialized;
using System.IO;
using System.Linq;
using System.Net;
using System.Security.Cryptography;
using System.Text;

/// <summary>
/// A receiver of webhooks, which accepts only messages that Atrium signed.
/// Usage: PORT=8090 WEBHOOK_SECRET=whsec_… Receiver
/// Compiles with .NET 6 or newer, .NET Framework 4.7 and Mono, without a package. In production it stands behind HTTPS.
/// </summary>
static class Receiver
{
    const int ToleranceSeconds = 300;
    const int MaxBodyBytes = 1024 * 1024;

    static readonly string Secret = Environment.GetEnvironmentVariable("WEBHOOK_SECRET") ?? "";

    /// <summary>Your database: a message can come again, also after a restart.</summary>
    static readonly HashSet<string> Handled = new HashSet<string>();

    /// <summary>Verifies a message by the rules of Standard Webhooks. The body is the raw one, before any parsing.</summary>
    static bool IsGenuine(NameValueCollection headers, byte[] body)
    {
        var timestamp = headers["webhook-timestamp"] ?? "";
        // An old message could be one that was intercepted.
        var now = DateTimeOffset.UtcNow.ToUnixTimeSeconds();
        if (!long.TryParse(timestamp, out var sent) || Math.Abs(now - sent) > ToleranceSeconds) return false;
        var prefix = Encoding.UTF8.GetBytes($"{headers["webhook-id"]}.{timestamp}.");
        using (var hmac = new HMACSHA256(Convert.FromBase64String(Secret.Substring("whsec_".Length))))
        {
            var expected = "v1," + Convert.ToBase64String(hmac.ComputeHash(prefix.Concat(body).ToArray()));
            // During a rotation there are two signatures.
            return (headers["webhook-signature"] ?? "").Split(' ').Any(signature => IsSame(expected, signature));
        }
    }

    /// <summary>
    /// Takes the same time wherever the texts differ, so that a signature cannot be guessed byte by byte. .NET 6 has
    /// CryptographicOperations.FixedTimeEquals.
    /// </summary>
    static bool IsSame(string expected, string given)
    {
        var difference = expected.Length ^ given.Length;
        for (var at = 0; at < Math.Min(expected.Length, given.Length); at++) difference |= expected[at] ^ given[at];
        return difference == 0;
    }

    static int Receive(HttpListenerRequest request)
    {
        if (request.ContentLength64 < 0 || request.ContentLength64 > MaxBodyBytes) return 413;
        var stream = new MemoryStream();
        request.InputStream.CopyTo(stream);
        // The first ping arrives before you know the secret: respond to it, and trust nothing yet.
        if (Secret == "") return 204;
        if (!IsGenuine(request.Headers, stream.ToArray())) return 401;
        if (Handled.Add(request.Headers["webhook-id"]))
        {
            var received = Json.Parse<Event>(stream.ToArray());
            Console.WriteLine($"{received.type} {received.area ?? "-"}");
        }
        return 204;
    }

    static void Main()
    {
        var listener = new HttpListener();
        listener.Prefixes.Add($"http://127.0.0.1:{Environment.GetEnvironmentVariable("PORT") ?? "8090"}/");
        listener.Start();
        while (true)
        {
            var context = listener.GetContext();
            try
            {
                context.Response.StatusCode = Receive(context.Request);
            }
            catch (Exception error)
            {
                Console.Error.WriteLine(error);
                context.Response.StatusCode = 500;
            }
            context.Response.Close();
        }
    }
}
