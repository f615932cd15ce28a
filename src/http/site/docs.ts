import { runInThread } from '../../operations/run-in-thread.ts'
import type { Route } from '../pipeline/request.ts'
import { pageSecurity } from '../pipeline/security-headers.ts'
import { assetRoute, revalidated } from './asset.ts'
import { viewerScript } from './docs-viewer.ts'
import { assetFile, html } from './page.ts'

const text = (content: string) => async () => Buffer.from(content)
const javascript = 'text/javascript; charset=utf-8'

/** The OpenAPI documents, made from the routes, and the page that shows them. None costs anything until asked for. */
export function docsRoutes(): Route[] {
  const page = {
    type: 'text/html; charset=utf-8',
    cacheControl: revalidated,
    headers: pageSecurity(policy),
    bytes: text(docsPage()),
  }
  return [
    documentRoute('/openapi.json', 'partner'),
    documentRoute('/cms/openapi.json', 'cms'),
    assetRoute('/docs', page),
    assetRoute('/assets/docs.css', assetFile('docs.css', 'text/css; charset=utf-8')),
    assetRoute('/assets/docs.js', assetFile('docs.js', javascript)),
    assetRoute('/assets/viewer.js', { type: javascript, cacheControl: revalidated, bytes: viewerScript }),
  ]
}

/** Made in a thread of its own: on the event loop it would hold up every other request. */
function documentRoute(path: string, plane: 'partner' | 'cms'): Route {
  return assetRoute(path, {
    type: 'application/json; charset=utf-8',
    cacheControl: revalidated,
    headers: { 'access-control-allow-origin': '*' },
    bytes: async () => Buffer.from(await runInThread(new URL('./openapi-worker.ts', import.meta.url), plane)),
  })
}

/** Scalar and the editor inside it write their style sheets into the page: the one thing that is allowed inline. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

function docsPage(): string {
  const noscript =
    '<noscript><p>This page needs JavaScript. <a href="/openapi.json">The document itself</a> does not, nor <a href="/cms/openapi.json">that of the CMS</a>.</p></noscript>'
  return html(
    'API reference',
    `${noscript}<div id="app"></div><p class="loading">Loading the reference …</p><script src="/assets/viewer.js"></script><script type="module" src="/assets/docs.js"></script>`,
    '<link rel="stylesheet" href="/assets/docs.css">',
  )
}
