// Runs the tests against one mutant: `judge.ts FILE START END TEXT TEST…`. Exits with 1 as soon as one fails.
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { run } from 'node:test'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '..', '..', '..')
const [file = '', start, end, text = '', ...tests] = process.argv.slice(2)
const mutated = pathToFileURL(join(root, file)).href

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (url !== mutated) return loaded
    const source = String(loaded.source)
    return { ...loaded, source: source.slice(0, Number(start)) + text + source.slice(Number(end)) }
  },
})

run({ files: tests.map((test) => join(root, test)), isolation: 'none' })
  .on('test:fail', ({ name, details }) => {
    console.log(`${name}: ${details.error.cause ?? details.error.message}`)
    process.exit(1)
  })
  .on('end', () => process.exit(0))
  .resume()
