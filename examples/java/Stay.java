import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The stay of a guest: finds the rooms, opens one, adds a service, extends it, and closes the room.
 *
 * <p>Usage: {@code javac -encoding UTF-8 *.java}, then
 * {@code ATRIUM=http://127.0.0.1:8080 TOKEN=atr_… java Stay annecy-01 annecy-01-B-204}. Needs Java 17 or newer.
 */
final class Stay {
    private static final int MAX_ATTEMPTS = 5;
    private static final Pattern NEXT = Pattern.compile("<([^>]+)>; rel=\"next\"");

    private final URI base = URI.create(System.getenv("ATRIUM"));
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

    /** A refusal. Decide by {@code code}; log the message, which has the request id. */
    static final class Problem extends RuntimeException {
        final int status;
        final String code;

        Problem(int status, Map<?, ?> body) {
            super(status + " " + body.get("code") + ": " + body.get("detail") + " (" + body.get("request_id") + ")");
            this.status = status;
            this.code = (String) body.get("code");
        }

        boolean isTemporary() {
            return Set.of(408, 429, 502, 503, 504).contains(status) || "idempotency_key_in_use".equals(code);
        }
    }

    /** Encodes an id as one segment of a path. URLEncoder is made for forms and writes + for a space. */
    static String segment(String id) {
        // Clients resolve these two, which would lead to another route.
        if (Set.of("", ".", "..").contains(id)) throw new IllegalArgumentException("an id cannot be empty, . or ..");
        return URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /**
     * Sends a request until it succeeds or is refused.
     *
     * <p>A response can be lost after the change was made, so every attempt sends the same bytes, and a POST the same
     * Idempotency-Key: the change is made once.
     */
    HttpResponse<String> call(String method, String path, String body, Map<String, String> headers)
            throws InterruptedException, IOException {
        Map<String, String> sent = new HashMap<>(headers);
        sent.put("Authorization", "Bearer " + System.getenv("TOKEN"));
        sent.put("Content-Type", "application/json");
        if (method.equals("POST")) sent.putIfAbsent("Idempotency-Key", UUID.randomUUID().toString());
        HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(path)).timeout(Duration.ofSeconds(30));
        sent.forEach(request::header);
        request.method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        for (int attempt = 1; ; attempt++) {
            double waitSeconds = Math.pow(2, attempt) * 0.1 * (1 + Math.random());
            try {
                HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
                if (response.statusCode() < 300) return response;
                Problem problem = new Problem(response.statusCode(), problemIn(response.body()));
                if (attempt == MAX_ATTEMPTS || !problem.isTemporary()) throw problem;
                String retryAfter = response.headers().firstValue("retry-after").orElse("0");
                waitSeconds = Math.max(waitSeconds, secondsUntil(retryAfter));
            } catch (IOException error) { // No connection, a timeout, or a connection that broke.
                if (attempt == MAX_ATTEMPTS) throw error;
            }
            Thread.sleep((long) (waitSeconds * 1000));
        }
    }

    /** Parses Retry-After: seconds, or a date, which proxies may send. */
    private static double secondsUntil(String retryAfter) {
        if (retryAfter.matches("\\d+")) return Double.parseDouble(retryAfter);
        try {
            Instant date = DateTimeFormatter.RFC_1123_DATE_TIME.parse(retryAfter, Instant::from);
            return Duration.between(Instant.now(), date).toMillis() / 1000.0;
        } catch (DateTimeParseException neither) {
            return 0;
        }
    }

    private static Map<?, ?> problemIn(String body) {
        try {
            return Json.parse(body) instanceof Map<?, ?> problem ? problem : Map.of();
        } catch (RuntimeException notJson) { // A proxy responded.
            return Map.of();
        }
    }

    /** Counts all rooms, page by page. {@code Link} is relative to the address of the request. */
    int countRooms(String facility) throws InterruptedException, IOException {
        int count = 0;
        String path = "/v1/facilities/" + segment(facility) + "/areas?limit=10";
        while (path != null) {
            HttpResponse<String> page = call("GET", path, null, Map.of());
            count += ((List<?>) Json.parse(page.body())).size();
            Matcher next = NEXT.matcher(page.headers().firstValue("link").orElse(""));
            path = next.find() ? next.group(1) : null;
        }
        return count;
    }

    /** Ends this stay, and no later one. A lost response makes the retry find the cycle ended: success too. */
    void close(String room, Map<String, String> cycle) throws InterruptedException, IOException {
        try {
            call("DELETE", room, null, cycle);
        } catch (Problem problem) {
            if (!"cycle_ended".equals(problem.code)) throw problem;
        }
    }

    void run(String facility, String roomId) throws InterruptedException, IOException {
        System.out.println(countRooms(facility) + " rooms");

        String room = "/v1/areas/" + segment(roomId);
        Map<?, ?> opened = (Map<?, ?>) Json.parse(call("POST", room + "/", null, Map.of()).body());
        // Store the cycle with the stay in your own system.
        Map<String, String> cycle = Map.of("Atrium-Cycle", (String) ((Map<?, ?>) opened.get("area")).get("cycle"));
        System.out.println(roomId + " is open");

        // "value" is a string that holds JSON: serialize the services first, then the body.
        String services = "[{\"code\": \"tv-premium\", \"label\": \"Télévision\", \"end\": \"2099-11-22\"}]";
        String body = "{\"value\": " + Json.string(services) + "}";
        Map<?, ?> service = last(call("POST", room + "/data_services", body, cycle));
        System.out.println(service.get("label") + " until " + service.get("end"));

        String path = room + "/data_services/" + segment((String) service.get("id"));
        service = last(call("PATCH", path, "{\"end\": \"2099-11-24\"}", cycle));
        System.out.println(service.get("label") + " until " + service.get("end"));

        close(room + "/", cycle);
        System.out.println(roomId + " is closed");
    }

    /** Returns the newest service of a response that lists them. */
    private static Map<?, ?> last(HttpResponse<String> response) {
        Map<?, ?> services = (Map<?, ?>) ((Map<?, ?>) Json.parse(response.body())).get("services");
        List<?> all = (List<?>) services.get("data_services");
        return (Map<?, ?>) all.get(all.size() - 1);
    }

    public static void main(String[] arguments) throws Exception {
        new Stay().run(arguments[0], arguments[1]);
    }
}
