/** The words of docs/scale.md. */

export const trafficHead = ['facilities', 'requests', 'processes on SQLite', 'processes on PostgreSQL']

export const capacityText = {
  model: `# Scale

Written by \`npm run bench\` from \`bench/report.json\`, as [benchmarks.md](benchmarks.md) is; not by hand.

## The model
A process answers from one thread: what it can do in a second is one second divided by the processor time of an answer.
As long as what is asked for is in memory, which is bounded in bytes, that time does not depend on how many facilities
there are. The first request of a partner, and the first for a facility, costs several times as much: an estate of which
everything is asked for in turn, and does not fit, is served at that price. Memory does not grow with the
estate: whether there are a thousand areas or a million, a process keeps at most \`ATRIUM_MEMORY_BYTES\` of answers and of
what finds them. What grows is the database.

What PostgreSQL does for a request: nothing of its own for a read that is at hand. A process asks every few turns of
its event loop what has changed, one statement for all requests that came in them. A read that is not at hand is one statement. A
write is two round trips: one that locks the row and reads it, one that writes row and audit entry and commits.`,

  check: `## Model and measurement
What the model says for larger estates, from the figures of 1,000 facilities with 200 areas each, and what was measured: 100,000
facilities of 20 areas with 10,000 partners (\`--scale 100\`), and a million facilities of two areas with 10,000 partners
(\`--scale 1000\`). "R2 warm" asks for a thousand of the facilities over and over,
as the model has it. The others go over the whole estate: of 100,000 facilities each was read once before, and what fits into
the memory is found there; 1,000,000 are met for the first time, and what is measured is the price of first requests. What an area and a facility take on disk comes from
the three estates together, so that there is nothing to hold it against.`,

  unchecked: 'No larger estate is in the report yet.',

  traffic: `## How many processes
A facility on its busiest hour, as we assume it: 12 times R2, 4 times R3, 60 times R5 (a partner that asks every minute
whether anything is new), 6 services added, 4 rooms opened or closed. Processes that are half busy, the driver and the
database server not counted. SQLite has one writer, and all its processes are on one machine.`,

  advice: `## When to add what
- **A process** (\`--workers\`, as many as cores) when \`nodejs_eventloop_lag_p99_seconds\` stays above 10 ms or a core is
  half busy all the time. On SQLite it helps reads; writes have one writer whatever there is.
- **PostgreSQL instead of SQLite** when a machine may fail without the service, or when its cores are not enough.
- **A node** when the processes of one machine are half busy. Nodes share nothing but the database: the next request
  anywhere sees what was committed anywhere, which costs each node one small statement every few turns of its loop.
- **More memory** (\`ATRIUM_MEMORY_BYTES\`) when \`atrium_memory_misses_total\` grows as fast as the hits do: the answers
  that are asked for again do not fit.
- **A standby of PostgreSQL** for failing over, never for reads: nodes read from the primary, because a replica that is
  behind would answer what was true a moment ago.
- **A shard by facility** when the primary's disk cannot take the writes, which are one row and one audit entry each.
  Everything a request touches hangs on one facility, so an installation per group of facilities behind a balancer that
  knows the first part of a path is the simple way. A distributed PostgreSQL such as Citus would distribute \`facility\`,
  \`area\`, \`autocomplete_list\` and \`audit_entry\` by the facility and keep partners and grants everywhere; the journal's
  order, which is one for all, is what such an engine makes dear. This was not tried.`,
}
