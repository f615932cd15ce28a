import { workMeaning, works } from '../work.ts'

/** How the figures were measured, and what each name means. */
export const explanation = `## How to read the tables

A *reference* is a program that can do the same work with the least effort; it was measured right before and after Atrium:

| reference | what it is |
|---|---|
| bare node:http | a server that sends the same status, headers and bytes from a constant |
| node:sqlite, pgbench | the engine alone: the same statements, one commit per write, no HTTP |

*Ratio* is Atrium's rate divided by the mean rate of the reference before and after it: the median of all rounds, and in
brackets the lowest and the highest. Above 1 Atrium is faster than the reference. *Target* is the ratio, time or memory
that the project wants to reach on both engines; a row without one is for information.

| work | what it is |
|---|---|
${works.map((work) => `| ${work} | ${workMeaning[work]} |`).join('\n')}
| R2 warm | R2 on a thousand of the facilities of a larger estate, again and again |
| p99 | the slowest 1 % of R2 at half of its top rate, while another client replaces a list of 10,000 entries every second |
| start | from the start of the process to its ready line |
| rest, load | memory of the idle process, and its peak over all the work |
| disk | the size of the database with the estate in it |
| apply | \`atrium apply\` of the whole estate into an empty database, and its peak memory |
| workers | \`atrium serve --workers 2\` compared with one process; "bare workers" does the same with bare node:http |
| general | the works with a header (\`TE: trailers\`) that only Node's HTTP parser reads |
| split | W1 and W2 with head and body in two TCP segments, as many clients send them |
| distant | W1, W2 and W5 on a PostgreSQL with a round-trip time of 10 ms; "one client" is the median time of a single client |
| off | a server with \`ATRIUM_FAST_HTTP=off\`, compared with one with \`on\` |

For COLD the reference is the SQL that builds the response, for W5 the statements of W2 without a key.

## How it was measured

Server, database and load generator share one machine. The load generator is autocannon with 32 connections, and wrk for two
processes, which autocannon could not keep busy; it needs about as much processor time per response as bare node:http. Each
request goes to another facility or room. The estate has 1,000 facilities of 200 areas; at scale 100 it has 100,000
facilities of 20 areas, each of which is read once before its reads are measured. Atrium runs with its log, its audit log
and its rate limiter, whose limit is out of reach. On a shared machine, a round in which the host took more than a tenth of
the processors is measured again, at most as often as there are rounds. \`bench/report.json\` has every round.`
