import { dirname, join, relative, resolve, sep } from 'node:path'
import type { Plugin } from 'rolldown'

const thread = /new URL\('(?<path>\.\/[\w/-]*worker\.(ts|mjs))', import\.meta\.url\)/g
const place = /import\.meta\.(?<kind>url|dirname)/g

/**
 * Keeps `import.meta.url` and `import.meta.dirname` valid in code that is bundled from `sources` into `folder`. Worker
 * threads become entry points beside the main one; paths to other files keep pointing to the sources.
 */
export function placesOf(sources: string, folder: string): Plugin {
  return {
    name: 'places',
    transform(code, id, { magicString }) {
      if (!id.startsWith(join(sources, sep)) || magicString === undefined) return
      const threads = [...code.matchAll(thread)]
      for (const { 0: found, index, groups } of threads) {
        const file = resolve(dirname(id), groups?.path ?? '')
        const fileName = nameOf(relative(sources, file))
        this.emitFile({ type: 'chunk', id: file, fileName })
        magicString.overwrite(index, index + found.length, `new URL('./${fileName}', import.meta.url)`)
      }
      const isThread = (at: number) => threads.some(({ 0: found, index }) => index < at && at < index + found.length)
      for (const { 0: found, index, groups } of code.matchAll(place)) {
        if (isThread(index)) continue
        const there = groups?.kind === 'url' ? urlOf(relative(folder, id)) : directoryOf(relative(folder, id))
        magicString.overwrite(index, index + found.length, there)
      }
      return { code: magicString }
    },
  }
}

/** Bundled files are all in one folder. */
function nameOf(path: string): string {
  return `${path.replace(/\.\w+$/, '').replaceAll(sep, '-')}.js`
}

function urlOf(path: string): string {
  return `new URL(${JSON.stringify(path.replaceAll(sep, '/'))}, import.meta.url).href`
}

function directoryOf(path: string): string {
  return `(import.meta.dirname + ${JSON.stringify(`/${dirname(path).replaceAll(sep, '/')}`)})`
}
