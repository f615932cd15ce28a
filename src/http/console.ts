import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../domain/refusal.ts'
import { type AssetSender, assetSender, revalidated } from './asset.ts'
import { page, pagePolicy } from './page.ts'
import { pageSecurity } from './security-headers.ts'

const built = join(import.meta.dirname, '../../console/dist')

/** No inline script and no inline style sheet: whatever an operator typed stays text. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
}

/** The console: its files, and its one page for every other path below, which the page itself understands. */
export function registerConsole(app: FastifyInstance): void {
  let files: Map<string, AssetSender> | undefined
  const serve = async (request: FastifyRequest<{ Params: { '*'?: string } }>, reply: FastifyReply) => {
    files ??= await builtFiles()
    const send = files?.get(request.params['*'] ?? '') ?? files?.get('index.html')
    return send === undefined ? sayHowToBuild(reply) : send(request, reply)
  }
  app.get('/', (request, reply) => toConsole(request, reply))
  app.get('/console', serve)
  app.get('/console/*', serve)
}

/** Leads a browser that was given the host alone to the console; programs are told that nothing is served here. */
function toConsole({ headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('vary', 'Accept')
  if (!headers.accept?.includes('text/html')) throw new Refusal('route_not_found', 'Nothing is served at this path.')
  return reply.header('cache-control', 'no-store').redirect('/console/', 302)
}

/** Nothing where it has not been built: it is looked for again at the next request. */
async function builtFiles(): Promise<Map<string, AssetSender> | undefined> {
  const names = await readdir(built, { recursive: true }).catch(() => [])
  const known = names.map((name) => name.replaceAll('\\', '/')).filter((name) => extname(name) in types)
  return known.includes('index.html') ? new Map(known.map((name) => [name, assetSender(fileAsset(name))])) : undefined
}

function fileAsset(name: string) {
  // The build writes a hash of the content into the names of what it puts there.
  const cacheControl = name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : revalidated
  const type = types[extname(name)] ?? ''
  return {
    type,
    cacheControl,
    headers: pageSecurity(policy, 'camera=(self)'),
    bytes: () => readFile(join(built, name)),
  }
}

function sayHowToBuild(reply: FastifyReply): FastifyReply {
  const body = `<h1>The console has not been built</h1>
    <p>Run <code>npm run build</code> where Atrium is installed, with its development packages, and load this page again.</p>`
  return reply
    .type('text/html; charset=utf-8')
    .headers({ 'cache-control': 'no-store', ...pageSecurity(pagePolicy) })
    .send(page('Console', body))
}
