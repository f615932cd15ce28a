import { Refusal } from '../../domain/refusal.ts'
import { runInThread } from '../../operations/run-in-thread.ts'
import type { ApiRequest, Route } from '../pipeline/request.ts'
import { pageSecurity } from '../pipeline/security-headers.ts'
import { type AssetSender, assetRoute, assetSender, revalidated } from './asset.ts'
import type { Guides } from './guides/worker.ts'
import { assetFile } from './page.ts'

/** The content security policy: allows the page's own script, which fetches the search index. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Serves docs/guides as HTML pages. All are rendered together in a worker thread, on the first request. */
export function guidesRoutes(): Route[] {
  let rendered: Promise<RenderedGuides> | undefined
  const guides = (): Promise<RenderedGuides> => {
    rendered ??= render()
    rendered.catch(() => {
      rendered = undefined
    })
    return rendered
  }
  const serve = async (request: ApiRequest) => {
    const send = (await guides()).senders.get(request.params.name ?? '')
    if (send === undefined) throw new Refusal('route_not_found', 'There is no guide with this name.')
    return send(request)
  }
  const index = {
    type: 'application/json; charset=utf-8',
    cacheControl: revalidated,
    bytes: async () => Buffer.from((await guides()).index),
  }
  return [
    { method: 'GET', path: '/docs/guides', handle: serve },
    { method: 'GET', path: '/docs/guides/{name}', handle: serve },
    assetRoute('/assets/guides.json', index),
    assetRoute('/assets/guides.css', assetFile('guides.css', 'text/css; charset=utf-8')),
    assetRoute('/assets/guides.js', assetFile('guides.js', 'text/javascript; charset=utf-8')),
  ]
}

interface RenderedGuides {
  senders: Map<string, AssetSender>
  index: string
}

async function render(): Promise<RenderedGuides> {
  const { pages, index }: Guides = JSON.parse(await runInThread(new URL('./guides/worker.ts', import.meta.url)))
  return {
    senders: new Map(Object.entries(pages).map(([name, html]) => [name, senderOf(html)])),
    index: JSON.stringify(index),
  }
}

function senderOf(html: string): AssetSender {
  return assetSender({
    type: 'text/html; charset=utf-8',
    cacheControl: revalidated,
    headers: pageSecurity(policy),
    bytes: async () => Buffer.from(html),
  })
}
