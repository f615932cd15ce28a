import type { Collection, CollectionRequest } from './requests.ts'

/** Returns the collection as Bruno files by path. */
export function brunoFiles({ title, variables, requests }: Collection): Map<string, string> {
  const about = { version: '1', name: title, type: 'collection', ignore: ['node_modules', '.git'] }
  const auth = `${block('auth', ['mode: bearer'])}\n${block('auth:bearer', ['token: {{token}}'])}`
  const values = variables.map(([name, value]) => `${name}: ${value}`)
  return new Map([
    ['bruno.json', `${JSON.stringify(about, null, 2)}\n`],
    ['collection.bru', auth],
    ['environments/demo.bru', `${block('vars', values)}vars:secret [\n  token\n]\n`],
    ...requests.map((request, at): [string, string] => [
      `${request.folder}/${request.name.replace(/[^\w -]/g, '')}.bru`,
      requestFile(request, at + 1),
    ]),
  ])
}

function requestFile(
  { name, description, method, path, query, headers, body, captures }: CollectionRequest,
  seq: number,
): string {
  const off = ([key, value]: [string, string]) => `~${key}: ${value}`
  const parts = [
    block('meta', [`name: ${name}`, 'type: http', `seq: ${seq}`]),
    block(method.toLowerCase(), [
      `url: {{base_url}}${path}`,
      `body: ${body === undefined ? 'none' : 'json'}`,
      'auth: inherit',
    ]),
    query.length > 0 && block('params:query', query.map(off)),
    headers.length > 0 && block('headers', headers.map(off)),
    body !== undefined && block('body:json', body.split('\n')),
    captures && block('script:post-response', [captured(captures)]),
    block('docs', description.split('\n')),
  ]
  return parts.filter((part) => typeof part === 'string').join('\n')
}

function captured([variable, path]: [string, string]): string {
  return `if (res.status < 300) bru.setVar('${variable}', res.body.${path})`
}

function block(name: string, lines: string[]): string {
  return `${name} {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`
}
