"""The stay of a guest: finds the rooms, opens one, adds a service, extends it, and closes the room.

Usage: ATRIUM=http://127.0.0.1:8080 TOKEN=atr_… python3 stay.py annecy-01 annecy-01-B-204
Needs Python 3.8 or newer, and no package.
"""

import json
import os
import random
import sys
import time
import uuid
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import quote, urljoin
from urllib.request import Request, urlopen

BASE = os.environ["ATRIUM"]
TOKEN = os.environ["TOKEN"]
MAX_ATTEMPTS = 5
TIMEOUT_SECONDS = 30


class Problem(Exception):
    """A refusal. Decide by `code`; log `detail` and `request_id`."""

    def __init__(self, status, problem):
        super().__init__(f"{status} {problem.get('code')}: {problem.get('detail')} ({problem.get('request_id')})")
        self.status = status
        self.code = problem.get("code")


def segment(identifier):
    """Encodes an id as one segment of a path. Clients resolve `..`, which would lead to another route."""
    if identifier in ("", ".", ".."):
        raise ValueError("an id cannot be empty, . or ..")
    return quote(identifier, safe="")


def call(method, path, body=None, headers=None):
    """Sends a request until it succeeds or is refused. Returns the parsed body and the headers.

    A response can be lost after the change was made, so every attempt sends the same bytes, and a POST the same
    Idempotency-Key: the change is made once.
    """
    data = None if body is None else json.dumps(body).encode()
    sent = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json", **(headers or {})}
    if method == "POST":
        sent.setdefault("Idempotency-Key", str(uuid.uuid4()))
    for attempt in range(1, MAX_ATTEMPTS + 1):
        wait = 2**attempt * 0.1 * (1 + random.random())
        try:
            request = Request(urljoin(BASE, path), data, sent, method=method)
            with urlopen(request, timeout=TIMEOUT_SECONDS) as response:
                return json.load(response), response.headers
        except HTTPError as error:
            problem = problem_of(error)
            if attempt == MAX_ATTEMPTS or not is_temporary(problem):
                raise problem
            wait = max(wait, seconds_until(error.headers.get("Retry-After", "0")))
        except (OSError, HTTPException):  # No connection, a timeout, or a connection that broke.
            if attempt == MAX_ATTEMPTS:
                raise
        time.sleep(wait)


def problem_of(error):
    try:
        return Problem(error.code, json.load(error))
    except ValueError:  # A proxy responded.
        return Problem(error.code, {})


def seconds_until(retry_after):
    """Parses Retry-After: seconds, or a date, which proxies may send."""
    try:
        if retry_after.isdigit():
            return int(retry_after)
        return (parsedate_to_datetime(retry_after) - datetime.now(timezone.utc)).total_seconds()
    except (TypeError, ValueError):
        return 0


def is_temporary(problem):
    return problem.status in (408, 429, 502, 503, 504) or problem.code == "idempotency_key_in_use"


def rooms_of(facility):
    """Yields all rooms, page by page. `Link` is relative to the address of the request."""
    path = f"/v1/facilities/{segment(facility)}/areas?limit=10"
    while path:
        rooms, headers = call("GET", path)
        yield from rooms
        link = headers.get("Link", "")
        path = link[link.index("<") + 1 : link.index(">")] if 'rel="next"' in link else None


def close(room, cycle):
    """Ends this stay, and no later one. A lost response makes the retry find the cycle ended: that is success too."""
    try:
        call("DELETE", room, headers={"Atrium-Cycle": cycle})
    except Problem as problem:
        if problem.code != "cycle_ended":
            raise


def main(facility, room_id):
    print(f"{len(list(rooms_of(facility)))} rooms")

    room = f"/v1/areas/{segment(room_id)}"
    opened, _ = call("POST", f"{room}/")
    cycle = opened["area"]["cycle"]  # Store it with the stay in your own system.
    print(f"{room_id} is open")

    # `value` is a string that holds JSON: serialize the services first, then the body.
    services = [{"code": "tv-premium", "label": "Télévision", "end": "2099-11-22"}]
    added, _ = call("POST", f"{room}/data_services", {"value": json.dumps(services)}, {"Atrium-Cycle": cycle})
    service = added["services"]["data_services"][-1]
    print(f"{service['label']} until {service['end']}")

    path = f"{room}/data_services/{segment(service['id'])}"
    changed, _ = call("PATCH", path, {"end": "2099-11-24"}, {"Atrium-Cycle": cycle})
    print(f"{service['label']} until {changed['services']['data_services'][-1]['end']}")

    close(f"{room}/", cycle)
    print(f"{room_id} is closed")


if __name__ == "__main__":
    main(*sys.argv[1:])
