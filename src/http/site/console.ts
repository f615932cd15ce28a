import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { type ApiRequest, type ApiResponse, noBody, type Route } from '../pipeline/request.ts'
import { routeNotFound } from '../pipeline/router.ts'
import { contentPolicy, pageSecurity } from '../pipeline/security-headers.ts'
import { type AssetSender, assetSender, revalidated } from './asset.ts'
import { pageResponse } from './page.ts'

const built = join(import.meta.dirname, '../../../console/dist')

/** Forbids inline scripts and styles, so that injected HTML is harmless. */
const policy = contentPolicy(
  "script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; " +
    "manifest-src 'self'; worker-src 'self'",
  "'self'",
)

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
}

/** Serves the console. A path without a file returns index.html, whose script shows the page for that path. */
export function consoleRoutes(): Route[] {
  let files: Map<string, AssetSender> | undefined
  const serve = async (request: ApiRequest) => {
    files ??= await builtFiles()
    const send = files?.get(request.params['*'] ?? '') ?? files?.get('index.html')
    return send === undefined ? howToBuild() : send(request)
  }
  return [
    { method: 'GET', path: '/', handle: redirectToConsole },
    ...['/console', '/console/*'].map((path) => ({ method: 'GET', path, handle: serve })),
  ]
}

function redirectToConsole({ headers }: ApiRequest): ApiResponse {
  if (!headers.accept?.includes('text/html')) throw routeNotFound()
  return { status: 302, headers: { location: '/console/', vary: 'Accept', 'cache-control': 'no-store' }, body: noBody }
}

/** Returns the files of the console. Undefined if it has not been built; the next request tries again. */
async function builtFiles(): Promise<Map<string, AssetSender> | undefined> {
  const names = await readdir(built, { recursive: true }).catch(() => [])
  const known = names.map((name) => name.replaceAll('\\', '/')).filter((name) => extname(name) in types)
  return known.includes('index.html') ? new Map(known.map((name) => [name, assetSender(fileAsset(name))])) : undefined
}

function fileAsset(name: string) {
  // Files in assets/ can be cached forever: their names contain a hash of the content.
  const cacheControl = name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : revalidated
  const type = types[extname(name)] ?? ''
  return {
    type,
    cacheControl,
    headers: pageSecurity(policy, 'camera=(self)'),
    bytes: () => readFile(join(built, name)),
  }
}

function howToBuild(): ApiResponse {
  const body = `<h1>The console has not been built</h1>
    <p>Run <code>npm run build</code> where Atrium is installed, with its development packages, and load this page again.</p>`
  return pageResponse('Console', body, 'no-store')
}
