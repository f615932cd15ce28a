<?php

// The stay of a guest: finds the rooms, opens one, adds a service, extends it, and closes the room.
//
// Usage: ATRIUM=http://127.0.0.1:8080 TOKEN=atr_… php stay.php annecy-01 annecy-01-B-204
// Needs PHP 8.1 or newer, and no package.

declare(strict_types=1);

const MAX_ATTEMPTS = 5;
const TIMEOUT_SECONDS = 30;

/** A refusal. Decide by `problemCode`; log the message, which has the request id. */
final class Problem extends RuntimeException
{
    public function __construct(public readonly int $status, public readonly ?string $problemCode, string $message)
    {
        parent::__construct($message);
    }

    public function isTemporary(): bool
    {
        return in_array($this->status, [408, 429, 502, 503, 504], true)
            || $this->problemCode === 'idempotency_key_in_use';
    }
}

/** Encodes an id as one segment of a path: not with urlencode(), which writes + for a space. */
function segment(string $id): string
{
    // Clients resolve these two, which would lead to another route.
    if (in_array($id, ['', '.', '..'], true)) {
        throw new InvalidArgumentException('an id cannot be empty, . or ..');
    }
    return rawurlencode($id);
}

/**
 * Sends a request until it succeeds or is refused. Returns the parsed body and the headers.
 *
 * A response can be lost after the change was made, so every attempt sends the same bytes, and a POST the same
 * Idempotency-Key: the change is made once.
 */
function call(string $method, string $path, ?array $body = null, array $headers = []): array
{
    $headers += ['Authorization' => 'Bearer ' . getenv('TOKEN'), 'Content-Type' => 'application/json'];
    if ($method === 'POST') {
        $headers += ['Idempotency-Key' => bin2hex(random_bytes(16))];
    }
    $content = $body === null ? '' : json_encode($body, JSON_THROW_ON_ERROR);
    for ($attempt = 1; ; $attempt++) {
        $wait = 2 ** $attempt * 0.1 * (1 + mt_rand() / mt_getrandmax());
        [$status, $text, $received] = attempt($method, $path, $content, $headers);
        $answer = json_decode($text ?? '', true);
        if ($status >= 200 && $status < 300 && $answer !== null) {
            return [$answer, $received];
        }
        $code = $answer['code'] ?? null;
        $id = $answer['request_id'] ?? '-';
        $problem = new Problem($status, $code, "$status $code: " . ($answer['detail'] ?? 'no response') . " ($id)");
        // No status, or half a body: there was no connection, a timeout, or a connection that broke.
        $isBroken = $status < 300;
        if ($attempt === MAX_ATTEMPTS || !($isBroken || $problem->isTemporary())) {
            throw $problem;
        }
        usleep((int) (1_000_000 * max($wait, secondsUntil($received['retry-after'] ?? '0'))));
    }
}

/** Parses Retry-After: seconds, or a date, which proxies may send. */
function secondsUntil(string $retryAfter): float
{
    return ctype_digit($retryAfter) ? (float) $retryAfter : (float) strtotime($retryAfter) - microtime(true);
}

/** Sends a request once. Returns its status (0 without a response), body and headers. */
function attempt(string $method, string $path, string $content, array $headers): array
{
    $lines = array_map(fn ($name, $value) => "$name: $value", array_keys($headers), $headers);
    $context = stream_context_create(['http' => [
        'method' => $method,
        'header' => [...$lines, 'Connection: close'],
        'content' => $content,
        'protocol_version' => 1.1,
        'timeout' => TIMEOUT_SECONDS,
        'follow_location' => 0,
        'ignore_errors' => true,
    ]]);
    $http_response_header = [];
    $text = @file_get_contents(getenv('ATRIUM') . $path, false, $context);
    $status = (int) (explode(' ', $http_response_header[0] ?? '')[1] ?? 0);
    $received = [];
    foreach (array_slice($http_response_header, 1) as $line) {
        [$name, $value] = explode(':', $line, 2);
        $received[strtolower($name)] = trim($value);
    }
    return [$status, $text === false ? null : $text, $received];
}

/** Yields all rooms, page by page. `Link` is relative to the address of the request. */
function roomsOf(string $facility): Generator
{
    $path = '/v1/facilities/' . segment($facility) . '/areas?limit=10';
    while ($path !== null) {
        [$rooms, $headers] = call('GET', $path);
        foreach ($rooms as $room) {
            yield $room;
        }
        $path = preg_match('/<([^>]+)>; rel="next"/', $headers['link'] ?? '', $found) ? $found[1] : null;
    }
}

/** Ends this stay, and no later one. A lost response makes the retry find the cycle ended: that is success too. */
function closeRoom(string $room, string $cycle): void
{
    try {
        call('DELETE', $room, null, ['Atrium-Cycle' => $cycle]);
    } catch (Problem $problem) {
        if ($problem->problemCode !== 'cycle_ended') {
            throw $problem;
        }
    }
}

[, $facility, $roomId] = $argv;

$count = 0;
foreach (roomsOf($facility) as $_room) {
    $count++;
}
echo "$count rooms\n";

$room = '/v1/areas/' . segment($roomId);
[$opened] = call('POST', "$room/");
$cycle = $opened['area']['cycle']; // Store it with the stay in your own system.
echo "$roomId is open\n";

// `value` is a string that holds JSON: serialize the services first, then the body.
$services = [['code' => 'tv-premium', 'label' => 'Télévision', 'end' => '2099-11-22']];
$value = json_encode($services, JSON_THROW_ON_ERROR);
[$added] = call('POST', "$room/data_services", ['value' => $value], ['Atrium-Cycle' => $cycle]);
$service = end($added['services']['data_services']);
echo "{$service['label']} until {$service['end']}\n";

$path = "$room/data_services/" . segment($service['id']);
[$changed] = call('PATCH', $path, ['end' => '2099-11-24'], ['Atrium-Cycle' => $cycle]);
$service = end($changed['services']['data_services']);
echo "{$service['label']} until {$service['end']}\n";

closeRoom("$room/", $cycle);
echo "$roomId is closed\n";
