import type { Planted } from './harness.ts'

/** Names of free fields that careless code confuses with something else. */
export const ownNames = [
  '7',
  '0',
  '4294967294',
  'id ',
  'constructor',
  'x-canary',
  'toString',
  '',
  'é',
  'a"b',
  '\\',
  '\n',
]

/** How stored subscriptions were once read: the partner's fields were taken to stand behind the common ones. */
export const textMatched: Planted = {
  name: 'the text of a stored subscription is matched, not parsed',
  file: 'src/domain/room/stored-room.ts',
  find: "const { id, code, label, status, start, end, ...extra } = parseExactly(json) as Omit<Subscription, 'extra'>",
  replace: `const [, id = '', code = '""', start = null, end = null] =
    /^\\{"id":"([^"]*)","code":("(?:[^"\\\\]|\\\\.)*"),"label":(?:null|"(?:[^"\\\\]|\\\\.)*"),"status":"(?:[^"\\\\]|\\\\.)*","start":(?:null|"([^"]*)"),"end":(?:null|"([^"]*)")/.exec(json) ?? []
  const [label, status, extra] = [null, 'active', {}]`,
}
