import { readFile } from 'node:fs/promises'
import type { ApiResponse, Route } from '../pipeline/request.ts'
import { contentPolicy, pageSecurity } from '../pipeline/security-headers.ts'
import { type Asset, assetRoute, revalidated } from './asset.ts'

export const pagePolicy = contentPolicy("style-src 'self'; img-src 'self'")

/** Returns a page without scripts. `body` is trusted HTML and must not contain text from a request. */
function page(title: string, body: string): string {
  return html(title, `<main class="page">${body}</main>`)
}

export function html(title: string, body: string, head = ''): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title} · Atrium</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" type="image/svg+xml" href="/assets/atrium.svg">
<link rel="stylesheet" href="/assets/atrium.css">${head}</head><body>
<header class="bar"><a class="brand" href="/docs"><img src="/assets/atrium.svg" alt="" width="24" height="24">Atrium</a>
<nav><a href="/docs/guides">Guides</a><a href="/docs">Reference</a><a href="/problems">Problems</a><a href="/downloads">Downloads</a></nav></header>
${body}</body></html>`
}

export function pageResponse(title: string, body: string, cacheControl: string): ApiResponse {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': cacheControl,
    ...pageSecurity(pagePolicy),
  }
  return { status: 200, headers, body: Buffer.from(page(title, body)) }
}

export const pageAssets: Route[] = [
  assetRoute('/assets/atrium.css', assetFile('atrium.css', 'text/css; charset=utf-8')),
  assetRoute('/assets/atrium.svg', assetFile('atrium.svg', 'image/svg+xml')),
  // Browsers request this path to show an icon for responses without one, such as problems in JSON.
  assetRoute('/favicon.ico', assetFile('atrium.svg', 'image/svg+xml')),
  // iPhones request this path for an icon on the home screen, and take no SVG.
  assetRoute('/apple-touch-icon.png', assetFile('apple-touch-icon.png', 'image/png')),
]

export function assetFile(name: string, type: string): Asset {
  return { type, cacheControl: revalidated, bytes: () => readFile(new URL(`../../../assets/${name}`, import.meta.url)) }
}
