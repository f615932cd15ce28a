/** What Atrium promises, by number, and the target of each. */
export const promises: readonly { number: number; promise: string; target: string }[] = [
  {
    number: 1,
    promise: 'no acknowledged write is lost or applied twice by kill -9',
    target: '1,000 kills; lost, doubled 0',
  },
  {
    number: 2,
    promise: 'a write is on disk before it is acknowledged',
    target: '1,000 of 1,000 writes synced before their response',
  },
  { number: 3, promise: 'disk errors and a full disk lose nothing', target: 'reads 200, writes 503, lost 0' },
  { number: 4, promise: 'concurrent requests to a room are linearizable', target: '10,000 histories, 0 violations' },
  { number: 5, promise: 'a reset erases what the last guest had', target: '1,000 cycles, 0 hits' },
  { number: 6, promise: 'an Idempotency-Key takes effect once', target: '10,000 pairs, 0 doubled' },
  { number: 7, promise: 'PostgreSQL may restart or fail over', target: 'lost 0, only 503, back in 5 s' },
  { number: 8, promise: 'SQLite and PostgreSQL return the same bytes', target: 'byte for byte, 0 differences' },
  {
    number: 9,
    promise: 'a partner sees and changes nothing of another',
    target: '20,000 cells, 0 wrong; 90 % of mutants killed',
  },
  { number: 10, promise: 'an id means one thing', target: '100,000 pairs, 0 wrong' },
  {
    number: 11,
    promise: 'tokens can be neither read back nor guessed',
    target: '0 usable tokens in a dump; refused from guess 100 on',
  },
  {
    number: 12,
    promise: 'the audit log is complete and shows tampering',
    target: 'entries = changes; one flipped byte is found',
  },
  { number: 13, promise: 'hostile input does no harm', target: '1,000,000 requests; 0 5xx, 0 undocumented, 0 leaks' },
  { number: 14, promise: 'no request blocks the event loop', target: 'no block over 50 ms' },
  {
    number: 15,
    promise: 'slow clients do not keep others out',
    target: 'cut off after 15 s and 30 s, others unharmed',
  },
  { number: 16, promise: 'stopping a node fails no request', target: '0 failed of 10,000; out within 10 s' },
  { number: 17, promise: 'a backup under load is complete', target: '50 restores, no gap' },
  { number: 18, promise: 'an upgrade fails no request', target: '0 failed, 0 lost' },
  { number: 19, promise: 'logs contain no secrets', target: '0 in logs, metrics, errors, process list' },
  { number: 20, promise: 'every dependency is known, pinned and checked', target: '0 known-bad versions' },
  { number: 21, promise: 'no sequence of bytes ends a process', target: '100,000 connections; 0 exits' },
  {
    number: 22,
    promise: 'nodes find the PostgreSQL primary again after any failure',
    target: 'lost 0, wrong 0; responses within 2 s of a primary that takes writes',
  },
  { number: 23, promise: 'long transactions do not delay events', target: 'p99 of an event under 1 s' },
  {
    number: 24,
    promise: 'a connection pooler works, or is refused at start',
    target: '0 wrong responses; a clear line at start',
  },
  { number: 25, promise: 'partners do not slow one another', target: 'p99 of a quiet partner under 250 ms' },
  {
    number: 26,
    promise: 'every change can be read and undone',
    target: 'before and after in each entry; undo restores',
  },
  { number: 27, promise: 'the published packages work', target: 'starts, serves the console, the docs and the API' },
]

/** The promises in five groups, for the summary of the page. */
export const promiseGroups: readonly { title: string; numbers: readonly number[]; inWords: string }[] = [
  {
    title: 'Data',
    numbers: [1, 2, 3, 6, 7, 17, 18, 22],
    inWords: 'an acknowledged write survives kills, full disks, failovers and upgrades, and takes effect once',
  },
  {
    title: 'Consistency',
    numbers: [4, 8, 10, 12, 23, 26],
    inWords: 'all nodes and both engines agree, and the audit log has every change',
  },
  {
    title: 'Privacy',
    numbers: [5, 9, 11, 19],
    inWords: 'guests leave no trace, partners see only what is granted to them, and secrets stay secret',
  },
  {
    title: 'Availability',
    numbers: [13, 14, 15, 16, 21, 24, 25],
    inWords: 'neither hostile input, slow clients nor restarts keep others from being served',
  },
  { title: 'Supply chain', numbers: [20, 27], inWords: 'dependencies are checked, and the published package starts' },
]
