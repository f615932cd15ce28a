import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { start } from '../processes.ts'
import { installWithApt, programPath } from '../programs.ts'
import type { PlainRequest } from '../work.ts'

const advice = 'no wrk to drive several processes with: install it, on Debian with apt-get install wrk'

function wrk(): string {
  const known = programPath('wrk')
  if (known !== undefined) return known
  installWithApt('apt-get -qq install --no-install-recommends -y wrk', advice)
  const path = programPath('wrk')
  if (path === undefined) throw new Error(advice)
  return path
}

export interface WrkJob {
  url: string
  requests: PlainRequest[]
  connections: number
  seconds: number
  folder: string
}

/** Measures responses per second. autocannon needs a core per server process; wrk leaves room for two processes. */
export async function loadWithWrk({ url, requests, connections, seconds, folder }: WrkJob): Promise<number> {
  const script = join(folder, 'requests.lua')
  writeFileSync(script, luaScript(requests))
  const args = ['-t', '1', '-c', String(connections), '-d', `${Math.ceil(seconds)}s`, '-s', script, url]
  const child = start(wrk(), args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [said, [code]] = await Promise.all([child.stdout ? text(child.stdout) : '', once(child, 'exit')])
  const rate = Number(/^Requests\/sec:\s+([\d.]+)/m.exec(said)?.[1])
  const fault = /^\s*(Non-2xx or 3xx responses|Socket errors):.*/m.exec(said)?.[0].trim()
  if (code === 0 && rate > 0 && fault === undefined) return rate
  throw new Error(`wrk ended with ${code}${fault ? `: ${fault}` : ''}`)
}

/** Supports only requests without a body. The list is split, because Lua limits the constants of a function. */
function luaScript(requests: PlainRequest[]): string {
  const lines = requests.map(({ method, path, headers }) => {
    const fields = Object.entries(headers).map(([name, value]) => `[${quote(name)}]=${quote(value)}`)
    return `add(${quote(method)},${quote(path)},{${fields.join(',')}})`
  })
  const chunks = Array.from(
    { length: Math.ceil(lines.length / 1000) },
    (_, index) => `(function()\n${lines.slice(index * 1000, (index + 1) * 1000).join('\n')}\nend)();`,
  )
  return `local list, next = {}, 0
local function add(method, path, headers) list[#list + 1] = {method, path, headers} end
${chunks.join('\n')}
function init(args) for i, r in ipairs(list) do list[i] = wrk.format(r[1], r[2], r[3]) end end
function request() next = next % #list + 1; return list[next] end
`
}

function quote(text: string): string {
  return JSON.stringify(text)
}
