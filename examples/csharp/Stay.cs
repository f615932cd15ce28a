using System;
using System.Collections.Generic;
using System.Linq;
using System.Net.Http;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading.Tasks;

/// <summary>
/// The stay of a guest: finds the rooms, opens one, adds a service, extends it, and closes the room.
/// Usage: ATRIUM=http://127.0.0.1:8080 TOKEN=atr_… Stay annecy-01 annecy-01-B-204
/// Compiles with .NET 6 or newer, .NET Framework 4.7 and Mono, without a package.
/// </summary>
static class Stay
{
    const int MaxAttempts = 5;

    static readonly HttpClient Client = new HttpClient { Timeout = TimeSpan.FromSeconds(30) };
    static readonly Uri Base = new Uri(Environment.GetEnvironmentVariable("ATRIUM"));
    static readonly Random Random = new Random();

    /// <summary>A refusal. Decide by Code; log the message, which has the request id.</summary>
    sealed class Problem : Exception
    {
        public readonly int Status;
        public readonly string Code;

        public Problem(int status, ProblemBody body)
            : base($"{status} {body.code}: {body.detail} ({body.request_id})")
        {
            Status = status;
            Code = body.code;
        }

        public bool IsTemporary =>
            new[] { 408, 429, 502, 503, 504 }.Contains(Status) || Code == "idempotency_key_in_use";
    }

    /// <summary>Encodes an id as one segment of a path. WebUtility.UrlEncode would write + for a space.</summary>
    static string Segment(string id)
    {
        // Clients resolve these two, which would lead to another route.
        if (id == "" || id == "." || id == "..") throw new ArgumentException("an id cannot be empty, . or ..");
        return Uri.EscapeDataString(id);
    }

    /// <summary>
    /// Sends a request until it succeeds or is refused. A response can be lost after the change was made, so every
    /// attempt sends the same bytes, and a POST the same Idempotency-Key: the change is made once.
    /// </summary>
    static async Task<HttpResponseMessage> Call(string method, string path, string body = null, string cycle = null)
    {
        var key = Guid.NewGuid().ToString();
        for (var attempt = 1; ; attempt++)
        {
            var wait = TimeSpan.FromSeconds(Math.Pow(2, attempt) * 0.1 * (1 + Random.NextDouble()));
            try
            {
                var response = await Client.SendAsync(RequestFor(method, path, body, cycle, key));
                if (response.IsSuccessStatusCode) return response;
                var problem = new Problem((int)response.StatusCode, await ProblemIn(response));
                if (attempt == MaxAttempts || !problem.IsTemporary) throw problem;
                // Seconds, or a date, which proxies may send.
                var retryAfter = response.Headers.RetryAfter;
                var asked = retryAfter?.Delta ?? retryAfter?.Date - DateTimeOffset.UtcNow;
                if (asked > wait) wait = asked.Value;
            }
            catch (Exception error) when (error is HttpRequestException || error is TaskCanceledException)
            {
                // No connection, a timeout, or a connection that broke.
                if (attempt == MaxAttempts) throw;
            }
            await Task.Delay(wait);
        }
    }

    /// <summary>A message can be sent only once, so each attempt needs one of its own.</summary>
    static HttpRequestMessage RequestFor(string method, string path, string body, string cycle, string key)
    {
        var request = new HttpRequestMessage(new HttpMethod(method), new Uri(Base, path));
        request.Headers.Add("Authorization", "Bearer " + Environment.GetEnvironmentVariable("TOKEN"));
        if (method == "POST") request.Headers.Add("Idempotency-Key", key);
        if (cycle != null) request.Headers.Add("Atrium-Cycle", cycle);
        if (body != null) request.Content = new StringContent(body, Encoding.UTF8, "application/json");
        return request;
    }

    static async Task<ProblemBody> ProblemIn(HttpResponseMessage response)
    {
        var type = response.Content.Headers.ContentType?.MediaType;
        // Otherwise a proxy responded.
        return type == "application/problem+json" ? await Json.Read<ProblemBody>(response) : new ProblemBody();
    }

    /// <summary>Counts all rooms, page by page. Link is relative to the address of the request.</summary>
    static async Task<int> CountRooms(string facility)
    {
        var count = 0;
        var path = $"/v1/facilities/{Segment(facility)}/areas?limit=10";
        while (path != null)
        {
            var page = await Call("GET", path);
            count += (await Json.Read<List<Area>>(page)).Count;
            path = NextPage(page);
        }
        return count;
    }

    static string NextPage(HttpResponseMessage page)
    {
        if (!page.Headers.TryGetValues("Link", out var links)) return null;
        var next = Regex.Match(links.First(), "<([^>]+)>; rel=\"next\"");
        return next.Success ? next.Groups[1].Value : null;
    }

    /// <summary>Ends this stay, and no later one. A lost response makes the retry find the cycle ended: success too.</summary>
    static async Task Close(string room, string cycle)
    {
        try
        {
            await Call("DELETE", room, cycle: cycle);
        }
        catch (Problem problem) when (problem.Code == "cycle_ended")
        {
        }
    }

    static async Task Run(string facility, string roomId)
    {
        Console.WriteLine($"{await CountRooms(facility)} rooms");

        var room = $"/v1/areas/{Segment(roomId)}";
        var opened = await Json.Read<Opened>(await Call("POST", $"{room}/"));
        var cycle = opened.area.cycle; // Store it with the stay in your own system.
        Console.WriteLine($"{roomId} is open");

        // Value is a string that holds JSON: serialize the services first, then the body.
        var services = new[] { new NewService { code = "tv-premium", label = "Télévision", end = "2099-11-22" } };
        var body = Json.Write(new LegacyBody { value = Json.Write(services) });
        var service = await Last(await Call("POST", $"{room}/data_services", body, cycle));
        Console.WriteLine($"{service.label} until {service.end}");

        var path = $"{room}/data_services/{Segment(service.id)}";
        service = await Last(await Call("PATCH", path, Json.Write(new Extension { end = "2099-11-24" }), cycle));
        Console.WriteLine($"{service.label} until {service.end}");

        await Close($"{room}/", cycle);
        Console.WriteLine($"{roomId} is closed");
    }

    /// <summary>Returns the newest service of a response that lists them.</summary>
    static async Task<Service> Last(HttpResponseMessage response)
    {
        return (await Json.Read<Changed>(response)).services.data_services.Last();
    }

    static void Main(string[] arguments)
    {
        Run(arguments[0], arguments[1]).GetAwaiter().GetResult();
    }
}
