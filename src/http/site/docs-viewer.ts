import { readFile } from 'node:fs/promises'
import { Refusal } from '../../domain/refusal.ts'
import { type Api, apis } from './apis.ts'
import { html } from './page.ts'

const file = new URL('../../../assets/viewer.js', import.meta.url)

/**
 * Returns the browser script of Scalar, with which API requests can be tried. `npm run build` copies it from its
 * package.
 */
export async function viewerScript(): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new Refusal(
      'route_not_found',
      'The viewer has not been built: run `npm run build` where Atrium is installed.',
    )
  }
}

/**
 * Returns the page on which API requests can be tried. It is separate from the reference because its script is large.
 */
export function viewerPage(api: Api): string {
  const { title, path, document, securityScheme } = apis[api]
  return html(
    `Try the ${title}`,
    `<noscript><p class="loading">Trying calls needs JavaScript. <a href="${path}">The reference</a> does not.</p></noscript>
<div id="app" data-document="${document}" data-scheme="${securityScheme}"></div><p class="loading">Loading …</p>
<script defer src="/assets/viewer.js"></script><script type="module" src="/assets/docs.js"></script>`,
    '<link rel="stylesheet" href="/assets/docs.css">',
  )
}
