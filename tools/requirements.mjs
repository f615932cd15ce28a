// Preloaded by the scripts of package.json: says in one line what is missing, where Node would print a stack.
import { existsSync } from 'node:fs'

const { node } = process.versions
const hasPackages = existsSync(new URL('../node_modules/commander', import.meta.url))
const missing = [
  ...(Number.parseInt(node, 10) < 24 ? [`Node 24 is needed, and this is ${node}`] : []),
  ...(hasPackages ? [] : ['the packages are not installed']),
]
if (missing.length > 0) {
  console.error(`${missing.join('; ')}: run \`npm ci\`, which also brings Node 24 on Linux`)
  process.exit(1)
}
