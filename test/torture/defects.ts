/** A defect that a harness found; maintained by hand for the page of guarantees. */
export interface Defect {
  /** The name of the harness, or what else found it. */
  found: string
  what: string
  fix: string
}

export const defects: readonly Defect[] = [
  {
    found: 'isolation',
    what: 'The order of the response headers showed whether a response was cached, and so whether a hidden field had changed.',
    fix: 'One function writes the headers of all responses, in one order.',
  },
  {
    found: 'parity',
    what: 'A V8 bug (nodejs/node#63785) replaces an escaped key of a JSON object by another key that was parsed before: keys that one partner sent could change those in a subscription of another.',
    fix: 'Texts with escaped keys are parsed with their keys replaced by placeholders.',
  },
  {
    found: 'backup',
    what: 'A node that polled for changes during one large transaction read all of its audit entries at once.',
    fix: 'Beyond some thousand changes the whole cache is invalidated instead.',
  },
  {
    found: 'disk',
    what: 'On PostgreSQL a write whose last statements failed, as on a full disk, could return 500, because the failed commit was seen before its cause.',
    fix: 'A failed commit waits for the errors of its statements, and the response is 503.',
  },
  {
    found: 'fuzz',
    what: 'A request with a Transfer-Encoding other than chunked got its response, and then a second refusal on the same connection.',
    fix: 'It is refused once and the connection is closed; no bytes behind it are parsed as a request.',
  },
  {
    found: 'existence',
    what: 'Refusing a room of a facility that the partner cannot see took 14 µs longer than refusing one that does not exist.',
    fix: 'One statement reads the same rows for both, and neither is cached.',
  },
  {
    found: 'tokens',
    what: 'A mistyped token cost a poll of the database for changes since the last request.',
    fix: 'The checksum in the token is verified first.',
  },
  {
    found: 'loop',
    what: 'A contract whose pattern needs exponential time on some text stopped the whole node.',
    fix: 'Contracts are checked in a worker thread, with a time limit of one second.',
  },
  {
    found: 'loop',
    what: 'Parsing large subscriptions, and building the OpenAPI document on its first request, blocked the event loop for over 50 ms.',
    fix: 'Both run in worker threads.',
  },
  {
    found: 'loop',
    what: 'A room with 16 MB of subscriptions, which the limits allowed, blocked the event loop for up to half a second with every change.',
    fix: 'The subscriptions of one room take at most 2 MiB.',
  },
  {
    found: 'existence',
    what: 'On PostgreSQL a hidden room was refused 4.7 µs sooner than one that does not exist.',
    fix: 'Both look up the same.',
  },
  {
    found: 'existence',
    what: 'On SQLite a hidden room took 4.2 µs longer to refuse than one that does not exist, because one more row was read.',
    fix: 'The query reads the room and its successor, so that a missing room leads to another by the same steps.',
  },
  {
    found: 'by hand',
    what: 'Adding, changing, importing or removing a few rooms of a facility read all of its rooms: 0.75 s for 80,000.',
    fix: 'Only the named rooms are read, in portions.',
  },
  {
    found: 'slow',
    what: 'A client that read nothing of its response was not disconnected while it sent a few bytes now and then; one that read slowly over TLS was. Node’s timers measure other things.',
    fix: 'A sweep looks at how many bytes of each response the client has read.',
  },
  {
    found: 'fuzz',
    what: 'The 304 of a page of a list has a Link to the next page, which the OpenAPI document did not mention.',
    fix: 'It is documented; a test checks each paged list for it.',
  },
  {
    found: 'upgrade',
    what: 'On PostgreSQL a node could no longer read a facility after a newer version had added a column, because a prepared statement selected all columns.',
    fix: 'Prepared statements name their columns, and the harness reads as well as it writes.',
  },
  {
    found: 'npm test',
    what: 'On PostgreSQL a webhook or stream that began on a freshly started node, while another transaction was open, started with all past events.',
    fix: 'Sealed entries count as stable on such a node; consumers start there.',
  },
  {
    found: 'npm test',
    what: 'On PostgreSQL any open transaction on the server, even of another database, delayed events, webhooks and seals; a webhook created meanwhile also got events from before.',
    fix: 'Only transactions that write to the audit log are waited for; the server’s list of locks names them.',
  },
  {
    found: 'sockets',
    what: 'A caller that was refused before it had sent its whole body was disconnected at once, and the reset could discard the response on its way.',
    fix: 'The rest of the body is read and discarded for up to 30 seconds (a lingering close).',
  },
  {
    found: 'upgrade',
    what: 'The harness missed a planted bug once in thirteen runs, most likely because few reads fell between the migration and the end of the older node.',
    fix: 'Each phase lasts until everything was read three times.',
  },
  {
    found: 'failover',
    what: 'The harness missed a planted bug when none of six outages hit a commit in progress.',
    fix: 'It continues until it has seen the bug, for up to forty outages.',
  },
  {
    found: 'by hand',
    what: 'With a standby in ATRIUM_DATABASE, a node could take it for the primary during an outage and never leave it: no outage of the harness had a standby that stayed one.',
    fix: 'Connections to a standby are refused, and each that breaks starts the search for the primary again; every outage now has a standby, and Patroni has a harness of its own.',
  },
  {
    found: 'by hand',
    what: 'Behind a pooler in transaction mode a node started, and a statement of one version could run under the name of another.',
    fix: 'Statement names derive from their text, and such a pooler is refused at start; two versions behind PgBouncer are a harness.',
  },
  {
    found: 'changes',
    what: 'The audit entry of a token rotation did not name the new token, and those of a removed or reset sandbox did not say how far ahead its clock was.',
    fix: 'Both are recorded, before and after.',
  },
  {
    found: 'by hand',
    what: 'The console’s audit log showed no changes by partners and none of rooms and lists, and no values of long texts.',
    fix: 'All forms of change are shown, and the harness compares them with the state before and after.',
  },
  {
    found: 'by hand',
    what: 'Removing a device with the id `..` in the console removed its facility.',
    fix: 'Such ids are refused, and the console sends no request whose path an id has changed.',
  },
]
