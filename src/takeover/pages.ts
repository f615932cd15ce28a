import { isObject } from '../domain/json.ts'
import type { Reader, RemoteResponse } from './remote.ts'
import { RemoteFailure, RemoteRefusal } from './remote-failure.ts'

/** The maximum number of pages of a list: its pages could link to further ones without end. */
const maxPages = 10_000

/** Returns all pages as one response. */
export async function getList(reader: Reader, path: string): Promise<RemoteResponse> {
  const first = await reader.get(path)
  const pages = [first.json]
  const visited = new Set<string>()
  for (let { next } = first; next !== undefined; ) {
    if (visited.has(next)) throw new RemoteRefusal(`GET ${path}: its pages form a loop, by ${next}`)
    if (pages.length === maxPages) throw new RemoteRefusal(`GET ${path}: it has more than ${maxPages} pages`)
    visited.add(next)
    const page = await reader.get(next)
    if (page.status !== 200) throw new RemoteFailure(`GET ${next}: status ${page.status} for the next page of a list`)
    pages.push(page.json)
    next = page.next
  }
  return pages.length === 1 ? first : { ...first, json: joined(pages, path), next: undefined }
}

/** Joins pages that are arrays, or objects with an array such as `{"areas_autocomplete_list": […]}`. */
function joined(pages: unknown[], path: string): unknown {
  if (pages.every(Array.isArray)) return withoutRepeated(pages)
  const [first] = pages
  const key = isObject(first) ? Object.keys(first).find((name) => Array.isArray(first[name])) : undefined
  const lists = pages.map((page) => (isObject(page) && key !== undefined ? page[key] : undefined))
  if (isObject(first) && key !== undefined && lists.every(Array.isArray)) {
    return { ...first, [key]: withoutRepeated(lists) }
  }
  throw new RemoteFailure(`GET ${path}: its pages have different forms`)
}

/** Leaves out items that an earlier page has too: new items can push others to a later page meanwhile. */
function withoutRepeated(pages: unknown[][]): unknown[] {
  const seen = new Set<unknown>()
  return pages.flatMap((page) => {
    const added = page.filter((item) => !seen.has(idOf(item)))
    for (const item of added) seen.add(idOf(item))
    return added
  })
}

function idOf(item: unknown): unknown {
  return (isObject(item) ? item.id_external : undefined) ?? item
}
