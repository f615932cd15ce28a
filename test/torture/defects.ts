/** A defect of the program that a harness brought to light, kept by hand; the page of guarantees lists them. */
export interface Defect {
  /** The harness, or whatever else found it. */
  found: string
  what: string
  fix: string
}

export const defects: readonly Defect[] = [
  {
    found: 'isolation',
    what: 'The order of the headers told whether an answer was at hand, and so whether somebody had changed a hidden field.',
    fix: 'An answer has its headers in one order, however it was come by.',
  },
  {
    found: 'parity',
    what: 'Node reads an escaped key of a JSON object as another key that it has seen (nodejs/node#63785): what one partner had sent could change the keys in a subscription of another.',
    fix: 'Texts with escaped keys are read with the keys put aside, whatever was parsed before.',
  },
  {
    found: 'backup',
    what: 'A node that asked what had changed while one large transaction was under way read all of its entries at once.',
    fix: 'Beyond some thousand changes it forgets everything instead, whichever transactions they are from.',
  },
  {
    found: 'disk',
    what: 'On PostgreSQL a write whose last statements failed, as on a full disk, could be answered 500: the end of the transaction was heard of before its reason.',
    fix: 'A transaction that did not commit waits for what its statements say, and the answer is 503.',
  },
  {
    found: 'fuzz',
    what: 'A request with a Transfer-Encoding other than chunked was answered, and then refused a second time on the same connection.',
    fix: 'It is refused once, and the connection ends with that answer: nothing behind it is read as a request.',
  },
  {
    found: 'existence',
    what: 'A room of a facility that the partner cannot see took 14 µs longer to refuse than one that does not exist.',
    fix: 'Both are asked of the database by one statement that reads the same rows for both, and nothing is kept of either.',
  },
  {
    found: 'tokens',
    what: 'A mistyped token cost a question to the database: whether something had changed since the last request.',
    fix: 'The checksum is looked at first.',
  },
  {
    found: 'loop',
    what: 'A text that the pattern of a partner’s contract takes for ever on stopped the whole node.',
    fix: 'Contracts are applied by a thread of its own, which is given up after a second.',
  },
  {
    found: 'loop',
    what: 'Large subscriptions held the event loop for over 50 ms while they were read, and so did the API document when it was first asked for.',
    fix: 'Both are work for other threads.',
  },
  {
    found: 'loop',
    what: 'A room with 16 MB of subscriptions, which the limits allowed, held the loop for up to half a second with every change.',
    fix: 'The subscriptions of one room take at most 2 MiB.',
  },
  {
    found: 'existence',
    what: 'On PostgreSQL a hidden room was refused 4.7 µs sooner than one that does not exist.',
    fix: 'As much is looked up for both.',
  },
  {
    found: 'existence',
    what: 'On SQLite a hidden room took 4.2 µs longer to refuse than one that does not exist: of the room itself one row more was read.',
    fix: 'The room is looked for together with the next that there is: what is not there leads to another, by the same steps.',
  },
  {
    found: 'by hand',
    what: 'To add, change, import or remove a few rooms of a facility read all of its rooms at once: 0.75 s for 80,000.',
    fix: 'Only the rooms that are named are looked for, some at a time.',
  },
  {
    found: 'slow',
    what: 'A reader that took nothing of its answer was not cut off as long as it sent something now and then, and one that took a little over TLS was: Node’s timers go by other things.',
    fix: 'What a connection has taken is looked at, and nothing else.',
  },
  {
    found: 'fuzz',
    what: 'The 304 of a page of a list has a Link to the next one, and the API document did not say so.',
    fix: 'It is documented; a test asks each paged list for it.',
  },
  {
    found: 'upgrade',
    what: 'On PostgreSQL a node could not read a facility any more once a newer version had added a column to it: a prepared statement took whatever columns there were.',
    fix: 'Prepared statements name their columns, and the harness reads as well as it writes.',
  },
  {
    found: 'npm test',
    what: 'On PostgreSQL a webhook or a follower that began on a node which had just started, while somebody else’s transaction had yet to end, began with all that ever happened.',
    fix: 'What is sealed counts as settled for such a node, and they begin there.',
  },
  {
    found: 'npm test',
    what: 'On PostgreSQL any transaction on the server that had yet to end, one of another database too, held events, webhooks and seals up, and a webhook that was made meanwhile was also sent what had happened before.',
    fix: 'Only those who are adding to the journal are waited for: the server’s list of locks says who they are.',
  },
  {
    found: 'sockets',
    what: 'Whoever was refused before all had been sent was cut off at once, and the reset that followed could take the answer away.',
    fix: 'What still comes is read and thrown away for a while, so that the answer arrives.',
  },
  {
    found: 'upgrade',
    what: 'The harness itself missed a planted bug once in thirteen runs, most likely because little was read between the migration and the end of the node of the version before.',
    fix: 'Each of its phases lasts until everything was read three times.',
  },
  {
    found: 'failover',
    what: 'The harness itself missed a planted bug when none of six outages met a commit whose answer was under way.',
    fix: 'It goes on, for up to forty outages, until it has seen the bug.',
  },
  {
    found: 'by hand',
    what: 'With a standby in ATRIUM_DATABASE, a node could take it for the primary while there was none, and stay with it for ever: no outage of the harness had a standby that stayed one.',
    fix: 'No connection to a standby counts as made, and each that breaks starts the search for the primary again; every outage has a standby, and Patroni is a harness of its own.',
  },
  {
    found: 'by hand',
    what: 'Behind a pooler in transaction mode a node started, and a statement of one version could run under the name of another.',
    fix: 'Statements are named by their text, and such a pooler is refused at start; two versions behind PgBouncer are a harness.',
  },
  {
    found: 'changes',
    what: 'The entry of a rotation did not name what was issued, and those of a sandbox that was reset or removed not how far ahead its clock had been.',
    fix: 'They name it, before and after.',
  },
  {
    found: 'by hand',
    what: 'The console showed nothing of what partners change, nor of rooms and lists, and of long values neither side.',
    fix: 'Every form of a change is shown, and the harness compares what is shown with the state before and after.',
  },
  {
    found: 'by hand',
    what: 'Removing a device with the id `..` in the console removed its facility.',
    fix: 'Such ids are refused, and the console sends no path that an id has changed.',
  },
]
