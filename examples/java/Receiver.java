import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A receiver of webhooks, which accepts only messages that Atrium signed.
 *
 * <p>Usage: {@code javac -encoding UTF-8 *.java}, then {@code PORT=8090 WEBHOOK_SECRET=whsec_… java Receiver}. Needs
 * Java 17 or newer. In production it stands behind HTTPS.
 */
final class Receiver {
    private static final int TOLERANCE_SECONDS = 300;
    private static final int MAX_BODY_BYTES = 1024 * 1024;
    private static final String SECRET = Objects.requireNonNullElse(System.getenv("WEBHOOK_SECRET"), "");

    /** Your database: a message can come again, also after a restart. */
    private static final Set<String> HANDLED = ConcurrentHashMap.newKeySet();

    /** Verifies a message by the rules of Standard Webhooks. {@code body} is the raw body, before any parsing. */
    static boolean isGenuine(Headers headers, byte[] body) throws GeneralSecurityException {
        String id = headers.getFirst("webhook-id");
        String timestamp = headers.getFirst("webhook-timestamp");
        String signatures = headers.getFirst("webhook-signature");
        if (id == null || timestamp == null || signatures == null || !timestamp.matches("[0-9]{1,12}")) return false;
        // An old message could be one that was intercepted.
        long now = System.currentTimeMillis() / 1000;
        if (Math.abs(now - Long.parseLong(timestamp)) > TOLERANCE_SECONDS) return false;
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(SECRET.substring("whsec_".length())), "HmacSHA256"));
        mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
        String expected = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
        // During a rotation there are two signatures. isEqual takes the same time wherever they differ.
        for (String signature : signatures.split(" ")) {
            if (MessageDigest.isEqual(bytes(expected), bytes(signature))) return true;
        }
        return false;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static int receive(HttpExchange exchange) throws IOException, GeneralSecurityException {
        byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY_BYTES + 1);
        if (body.length > MAX_BODY_BYTES) return 413;
        // The first ping arrives before you know the secret: respond to it, and trust nothing yet.
        if (SECRET.isEmpty()) return 204;
        if (!isGenuine(exchange.getRequestHeaders(), body)) return 401;
        if (HANDLED.add(exchange.getRequestHeaders().getFirst("webhook-id"))) {
            Map<?, ?> event = (Map<?, ?>) Json.parse(new String(body, StandardCharsets.UTF_8));
            System.out.println(event.get("type") + " " + Objects.requireNonNullElse(event.get("area"), "-"));
        }
        return 204;
    }

    public static void main(String[] arguments) throws IOException {
        int port = Integer.parseInt(Objects.requireNonNullElse(System.getenv("PORT"), "8090"));
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(receive(exchange), -1);
            } catch (GeneralSecurityException | RuntimeException error) {
                error.printStackTrace();
                exchange.sendResponseHeaders(500, -1);
            }
        });
        server.start();
    }
}
