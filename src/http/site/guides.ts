import { Refusal } from '../../domain/refusal.ts'
import { runInThread } from '../../operations/run-in-thread.ts'
import type { ApiRequest, Route } from '../pipeline/request.ts'
import { contentPolicy, pageSecurity } from '../pipeline/security-headers.ts'
import { type AssetSender, assetRoute, assetSender, revalidated } from './asset.ts'
import type { Guides } from './guides/worker.ts'
import { assetFile } from './page.ts'

/** The content security policy of the guides. It allows our own script, which fetches the search index. */
const policy = contentPolicy("script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'")

/** Serves the guides. They are rendered from docs/guides at the first request, in a worker thread. */
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
  const llms = {
    type: 'text/plain; charset=utf-8',
    cacheControl: revalidated,
    bytes: async () => Buffer.from((await guides()).llms),
  }
  return [
    { method: 'GET', path: '/docs/guides', handle: serve },
    { method: 'GET', path: '/docs/guides/{name}', handle: serve },
    assetRoute('/llms.txt', llms),
    assetRoute('/assets/guides.json', index),
    assetRoute('/assets/guides.css', assetFile('guides.css', 'text/css; charset=utf-8')),
    assetRoute('/assets/guides.js', assetFile('guides.js', 'text/javascript; charset=utf-8')),
  ]
}

interface RenderedGuides {
  senders: Map<string, AssetSender>
  index: string
  llms: string
}

async function render(): Promise<RenderedGuides> {
  const worker = new URL('./guides/worker.ts', import.meta.url)
  const { pages, files, index, llms }: Guides = JSON.parse(await runInThread(worker))
  const sendersOf = (texts: Record<string, string>, type: string) =>
    Object.entries(texts).map(([name, text]): [string, AssetSender] => [name, senderOf(text, type)])
  return {
    senders: new Map([...sendersOf(pages, 'text/html'), ...sendersOf(files, 'text/markdown')]),
    index: JSON.stringify(index),
    llms,
  }
}

function senderOf(text: string, type: string): AssetSender {
  return assetSender({
    type: `${type}; charset=utf-8`,
    cacheControl: revalidated,
    headers: pageSecurity(policy),
    bytes: async () => Buffer.from(text),
  })
}
