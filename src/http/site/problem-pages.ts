import { Refusal, type RefusalCode } from '../../domain/refusal.ts'
import { meanings, publicCode } from '../pipeline/errors.ts'
import type { ApiRequest, ApiResponse, Route } from '../pipeline/request.ts'
import { pageAssets, pageResponse } from './page.ts'
import { help } from './problem-help.ts'

type ProblemName = keyof typeof help

const names = Object.keys(help) as ProblemName[]

export function problemRoutes(): Route[] {
  return [
    ...pageAssets,
    { method: 'GET', path: '/problems', handle: () => pageResponse('Problems', indexOf(), caching) },
    { method: 'GET', path: '/problems/{code}', handle: problemPage },
  ]
}

const caching = 'public, max-age=300'

function problemPage({ params }: ApiRequest): ApiResponse {
  const name = names.find((known) => known === params.code)
  if (name === undefined) throw new Refusal('route_not_found', 'There is no problem with this code.')
  const { title } = meanings[name]
  const body = `<p class="status">${statusesOf(name).join(' or ')} · <code>${name}</code></p><h1>${title}</h1>
      <p>${help[name]}</p><p class="more"><a href="/problems">All problems</a> · <a href="/docs/guides/errors">What to do about them</a></p>`
  return pageResponse(title, body, caching)
}

/** Returns the statuses of a problem code in responses. Several internal codes with different statuses can share it. */
export function statusesOf(name: string): number[] {
  const codes = (Object.keys(meanings) as RefusalCode[]).filter((code) => publicCode(code) === name)
  return [...new Set(codes.map((code) => meanings[code].status))].sort()
}

function indexOf(): string {
  const rows = names
    .toSorted((a, b) => meanings[a].status - meanings[b].status)
    .map((name) => {
      const { title } = meanings[name]
      return `<tr><td>${statusesOf(name).join(', ')}</td><td><a href="/problems/${name}"><code>${name}</code></a></td><td>${title}</td></tr>`
    })
  return `<h1>Problems</h1><p>Every refusal is an RFC 9457 problem with one of these codes.</p>
    <table><thead><tr><th>Status</th><th>Code</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}
