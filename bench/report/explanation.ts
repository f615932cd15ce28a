import { workMeaning, works } from '../work.ts'

/** What stands above the figures. */
export const explanation = `# Benchmarks

Written by \`npm run bench\` from \`bench/report.json\`; not by hand. \`npm run bench -- --help\` shows its options.

Every figure is a ratio to a limit that was measured back to back in the same run: limit, Atrium, limit, Atrium and so on.
Each round is divided by the mean of the limit just before and just after it; the table has the median and the spread.
On a machine that shares its processors with others, a round from which their host took more than a tenth of them is measured
again, whatever came out, up to as often as there are rounds and never with --quick; the raw report counts that,
and a run says what was taken, where the system tells.

- **bare node:http** is a server that answers the same status, headers and bytes from a constant, on the same Node.
- **node:sqlite** and **pgbench** are the engine alone, doing the same statements with the same durability: one commit
  per write, no HTTP. For COLD it is the SQL that builds the answer, for W5 the statements of W2 without a key.

Targets are the floors that the project sets itself, the same on both engines; a figure without one has none.

Everything runs on one machine: the server, its database and the driver (autocannon, 32 connections, in a process of its
own; wrk for two processes, which autocannon could not keep busy). Each request goes to another facility or room, spread
over all of them. The estate has 1,000 facilities of 200 areas; at scale 100 it has 100,000 facilities of 20 areas, each
of which is read once before its reads are measured: what fits into the memory is found there. "To itself at scale 1" has
both in one run: a server on each estate, each with its limit, in turn, and the ratio of each round to the other's.
The driver needs about as much processor time for an answer as bare node:http does; the raw report has both, and Atrium's,
for every round. Atrium runs as an operator runs it, with its log, its audit entries and its rate limiter, whose limit is out of reach.

| work | what it is |
|---|---|
${works.map((work) => `| ${work} | ${workMeaning[work]} |`).join('\n')}
| R2 warm | R2 on a thousand of the facilities of a larger estate, asked for over and over |
| p99 | R2 at half of its top rate, after a second of it that is not counted, while another client replaces a list of 10,000 entries every second; beside it bare node:http at half of its own, and R2 again, with nothing replaced, which is what the machine itself makes requests wait |
| start | from the start of the process to its ready line |
| rest, load | resident memory while nobody asks, and its peak over all the work |
| disk | the database with the estate in it |
| apply | \`atrium apply\` of the whole estate into an empty database, and the memory it took |
| workers | \`atrium serve --workers 2\` to one process; the same for two bare node:http processes |
| general | the works with a header, \`TE: trailers\`, that sends the connection to Node's parser |
| split | W1 and W2 with head and body in two segments, as many clients send them |
| distant | W1, W2 and W5 on a PostgreSQL behind a proxy that makes a round trip take 10 ms: answers a second, with \`pgbench\` through the same proxy as the limit, and the median time of a client that is alone, whose write also waits for one round trip that revalidates the cache |
| fast-http | the ratio to bare node:http of a server with \`ATRIUM_FAST_HTTP=off\`, to that of one with \`on\`, in turn |`
