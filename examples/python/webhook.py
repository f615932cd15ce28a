"""A receiver of webhooks, which accepts only messages that Atrium signed.

Usage: PORT=8090 WEBHOOK_SECRET=whsec_… python3 webhook.py
Needs Python 3.8 or newer, and no package. In production it stands behind HTTPS.
"""

import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = os.environ.get("WEBHOOK_SECRET", "")
TOLERANCE_SECONDS = 300
MAX_BODY_BYTES = 1024 * 1024
handled = set()  # Your database: a message can come again, also after a restart.


def is_genuine(headers, body):
    """Verifies a message by the rules of Standard Webhooks. `body` is the raw body, before any parsing."""
    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    # An old message could be one that was intercepted.
    if not timestamp.isascii() or not timestamp.isdigit() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    key = base64.b64decode(SECRET[len("whsec_") :])
    signed = f"{message_id}.{timestamp}.".encode("latin-1") + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    # During a rotation there are two signatures. compare_digest takes the same time wherever they differ.
    signatures = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(expected.encode(), one.encode("latin-1")) for one in signatures)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        length = self.headers.get("content-length", "")
        if not length.isdigit() or int(length) > MAX_BODY_BYTES:
            return self.respond(413)
        body = self.rfile.read(int(length))
        # The first ping arrives before you know the secret: respond to it, and trust nothing yet.
        if SECRET == "":
            return self.respond(204)
        if not is_genuine(self.headers, body):
            return self.respond(401)
        if self.headers["webhook-id"] not in handled:
            handled.add(self.headers["webhook-id"])
            event = json.loads(body)
            print(event["type"], event.get("area", "-"), flush=True)
        self.respond(204)

    def respond(self, status):
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8090"))), Receiver).serve_forever()
