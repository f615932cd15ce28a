import { readFile } from 'node:fs/promises'
import { Refusal } from '../../domain/refusal.ts'
import { runInThread } from '../../operations/run-in-thread.ts'
import type { Route } from '../pipeline/request.ts'
import { contentPolicy, pageSecurity } from '../pipeline/security-headers.ts'
import { type Api, apis } from './apis.ts'
import { assetRoute, revalidated } from './asset.ts'
import { assetFile, html, pagePolicy } from './page.ts'

const javascript = 'text/javascript; charset=utf-8'
const stylesheet = 'text/css; charset=utf-8'

/** Each document and page is generated from the API's routes at its first request. */
export function docsRoutes(): Route[] {
  return [
    ...(['partner', 'cms'] as const).flatMap((api) => [
      documentRoute(apis[api].document, api),
      pageRoute(apis[api].path, pagePolicy, () => generate(api, 'page')),
      pageRoute(`${apis[api].path}/try`, viewerPolicy, async () => viewerPage(api)),
    ]),
    assetRoute('/assets/reference.css', assetFile('reference.css', stylesheet)),
    assetRoute('/assets/docs.css', assetFile('docs.css', stylesheet)),
    assetRoute('/assets/docs.js', assetFile('docs.js', javascript)),
    assetRoute('/assets/viewer.js', { type: javascript, cacheControl: revalidated, bytes: viewerScript }),
  ]
}

export function apiDocument(api: Api): Promise<string> {
  const document = documents.get(api) ?? generate(api, 'json')
  documents.set(api, document)
  document.catch(() => documents.delete(api))
  return document
}

const documents = new Map<Api, Promise<string>>()

function documentRoute(path: string, api: Api): Route {
  return assetRoute(path, {
    type: 'application/json; charset=utf-8',
    cacheControl: revalidated,
    headers: { 'access-control-allow-origin': '*' },
    bytes: async () => Buffer.from(await apiDocument(api)),
  })
}

function pageRoute(path: string, policy: string, page: () => Promise<string>): Route {
  return assetRoute(path, {
    type: 'text/html; charset=utf-8',
    cacheControl: revalidated,
    headers: pageSecurity(policy),
    bytes: async () => Buffer.from(await page()),
  })
}

/** Generates a document or page in a worker thread: it takes too long for the event loop. */
function generate(api: Api, form: 'json' | 'page'): Promise<string> {
  return runInThread(new URL('./openapi-worker.ts', import.meta.url), { api, form })
}

/** Scalar and its editor need inline styles; inline scripts are forbidden. */
const viewerPolicy = contentPolicy(
  "script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'",
)

/** Returns the script of Scalar, with which requests can be tried. `npm run build` copies it from its package. */
async function viewerScript(): Promise<Buffer> {
  try {
    return await readFile(new URL('../../../assets/viewer.js', import.meta.url))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new Refusal(
      'route_not_found',
      'The viewer has not been built: run `npm run build` where Atrium is installed.',
    )
  }
}

/** Renders the page on which requests can be tried. It is separate from the reference because its script is large. */
function viewerPage(api: Api): string {
  const { title, path, document, securityScheme } = apis[api]
  return html(
    `Try the ${title}`,
    `<noscript><p class="loading">Trying calls needs JavaScript. <a href="${path}">The reference</a> does not.</p></noscript>
<div id="app" data-document="${document}" data-scheme="${securityScheme}"></div><p class="loading">Loading …</p>
<script defer src="/assets/viewer.js"></script><script type="module" src="/assets/docs.js"></script>`,
    '<link rel="stylesheet" href="/assets/docs.css">',
  )
}
