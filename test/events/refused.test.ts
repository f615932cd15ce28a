import { EventIds } from '../../src/domain/room/event-offset.ts'
import { scenarios } from '../harness/scenarios.ts'

const stranger = new EventIds('another secret', 'everything').id(64)

scenarios('GET /v1/events', [
  { when: 'there is no token', request: 'GET /v1/events', status: 401, code: 'token_missing' },
  ...[
    ['a cursor that is none', 'after=x'],
    ['a cursor of another installation', `after=${stranger}`],
    ['an empty cursor', 'after='],
    ['a limit of nothing', 'limit=0'],
    ['too long a wait', 'wait=31'],
    ['a wait that is no number', 'wait=1s'],
    ['a word for own that is neither', 'own=no'],
  ].map(([what, query]) => ({
    when: what as string,
    as: 'everything',
    request: `GET /v1/events?${query}`,
    status: 400,
    code: 'parameter_invalid',
  })),
  {
    when: 'a cursor that is none, for a stream',
    as: 'everything',
    request: 'GET /v1/events',
    headers: { accept: 'text/event-stream', 'last-event-id': 'x' },
    status: 400,
    code: 'parameter_invalid',
  },
  {
    when: 'a parameter of lists',
    as: 'everything',
    request: 'GET /v1/events?cursor=x',
    status: 400,
    code: 'parameter_unknown',
  },
])
