import type { Collection, CollectionRequest } from './requests.ts'

const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

/** Returns the collection in Postman's format 2.1. */
export function postmanText({ title, description, variables, requests }: Collection): string {
  const folders = Map.groupBy(requests, ({ folder }) => folder)
  const collection = {
    info: { name: title, description, schema },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: [...variables, ['token', '']].map(([key, value]) => ({ key, value })),
    item: [...folders].map(([name, items]) => ({ name, item: items.map(itemOf) })),
  }
  return `${JSON.stringify(collection, null, 2)}\n`
}

function itemOf({ name, description, method, path, query, headers, body, captures }: CollectionRequest) {
  return {
    name,
    ...(captures && { event: [{ listen: 'test', script: { type: 'text/javascript', exec: [captured(captures)] } }] }),
    request: {
      method,
      description,
      header: headers.map(([key, value]) => ({ key, value, disabled: true })),
      url: {
        raw: `{{base_url}}${path}`,
        host: ['{{base_url}}'],
        path: path.slice(1).split('/'),
        query: query.map(([key, value]) => ({ key, value, disabled: true })),
      },
      ...(body !== undefined && { body: { mode: 'raw', raw: body, options: { raw: { language: 'json' } } } }),
    },
  }
}

function captured([variable, path]: [string, string]): string {
  return `if (pm.response.code < 300) pm.collectionVariables.set('${variable}', pm.response.json().${path})`
}
