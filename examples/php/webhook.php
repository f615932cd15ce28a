<?php

// A receiver of webhooks, which accepts only messages that Atrium signed.
//
// Usage: WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:8090 webhook.php
// Needs PHP 8.1 or newer, and no package. In production it stands behind HTTPS.

declare(strict_types=1);

const TOLERANCE_SECONDS = 300;
const MAX_BODY_BYTES = 1024 * 1024;

/** Verifies a message by the rules of Standard Webhooks. `$body` is the raw body, before any parsing. */
function isGenuine(string $secret, string $body): bool
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    // An old message could be one that was intercepted.
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $key = base64_decode(substr($secret, strlen('whsec_')), true);
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    // During a rotation there are two signatures. hash_equals() takes the same time wherever they differ.
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}

/** Returns whether a message is new. Use your database: a message can come again, also after a restart. */
function isNew(string $id): bool
{
    $folder = sys_get_temp_dir() . '/atrium-webhooks';
    @mkdir($folder);
    return @fopen("$folder/" . hash('sha256', $id), 'x') !== false;
}

$secret = getenv('WEBHOOK_SECRET') ?: '';
$body = file_get_contents('php://input', length: MAX_BODY_BYTES + 1);
if (strlen($body) > MAX_BODY_BYTES) {
    http_response_code(413);
} elseif ($secret === '') {
    // The first ping arrives before you know the secret: respond to it, and trust nothing yet.
    http_response_code(204);
} elseif (!isGenuine($secret, $body)) {
    http_response_code(401);
} else {
    if (isNew($_SERVER['HTTP_WEBHOOK_ID'])) {
        $event = json_decode($body, true, flags: JSON_THROW_ON_ERROR);
        file_put_contents('php://stdout', $event['type'] . ' ' . ($event['area'] ?? '-') . "\n");
    }
    http_response_code(204);
}
