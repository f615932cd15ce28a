import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads and writes JSON, because the JDK cannot. Use the library of your project instead, such as Jackson. */
final class Json {
    private final String text;
    private int at = 0;

    private Json(String text) {
        this.text = text;
    }

    /** Returns maps, lists, strings, doubles, booleans and null. */
    static Object parse(String text) {
        Json json = new Json(text);
        Object value = json.value();
        json.skipSpace();
        if (json.at != text.length()) throw new IllegalArgumentException("not JSON at " + json.at);
        return value;
    }

    static String string(String value) {
        StringBuilder result = new StringBuilder("\"");
        for (char c : value.toCharArray()) {
            if (c == '"' || c == '\\') result.append('\\').append(c);
            else if (c < ' ') result.append(String.format("\\u%04x", (int) c));
            else result.append(c);
        }
        return result.append('"').toString();
    }

    private Object value() {
        skipSpace();
        if (take("{")) return object();
        if (take("[")) return array();
        if (take("\"")) return rest();
        if (take("true")) return true;
        if (take("false")) return false;
        if (take("null")) return null;
        int start = at;
        while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) at++;
        return Double.valueOf(text.substring(start, at));
    }

    private Map<String, Object> object() {
        Map<String, Object> members = new LinkedHashMap<>();
        skipSpace();
        while (!take("}")) {
            if (!members.isEmpty()) expect(",");
            expect("\"");
            String name = rest();
            expect(":");
            members.put(name, value());
            skipSpace();
        }
        return members;
    }

    private List<Object> array() {
        List<Object> items = new ArrayList<>();
        skipSpace();
        while (!take("]")) {
            if (!items.isEmpty()) expect(",");
            items.add(value());
            skipSpace();
        }
        return items;
    }

    /** Returns a string whose opening quote has been read. */
    private String rest() {
        StringBuilder result = new StringBuilder();
        for (char c = text.charAt(at++); c != '"'; c = text.charAt(at++)) {
            if (c == '\\') {
                c = text.charAt(at++);
                int escape = "bfnrt".indexOf(c);
                if (escape >= 0) c = "\b\f\n\r\t".charAt(escape);
                if (c == 'u') c = (char) Integer.parseInt(text.substring(at, at += 4), 16);
            }
            result.append(c);
        }
        return result.toString();
    }

    private void expect(String token) {
        skipSpace();
        if (!take(token)) throw new IllegalArgumentException("not JSON at " + at);
    }

    private boolean take(String token) {
        if (!text.startsWith(token, at)) return false;
        at += token.length();
        return true;
    }

    private void skipSpace() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
    }
}
