import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checks, productionPackages, readSupply } from '../../tools/supply/checks.ts'
import { sbomText } from '../../tools/supply/sbom.ts'
import type { Harness, Outcome, Run } from '../torture/harness.ts'

export const supply: Harness = {
  name: 'supply',
  promises: [20],
  title: 'what comes in from others is known, pinned, checked and has a reason',
  unit: 'checks of all packages',
  target: '0 known-bad versions, install scripts, packages without integrity, reason or an allowed licence',
  counts: { planted: 1, test: 1, torture: 1 },
  planted: [
    {
      name: 'a package that was published to do harm',
      file: 'package-lock.json',
      find: '    "node_modules/yaml": {',
      replace:
        '"node_modules/event-stream": {"version": "3.3.6", "integrity": "sha512-x", "license": "MIT"}, "node_modules/yaml": {',
    },
    {
      name: 'a script that runs when a package is installed',
      file: 'package-lock.json',
      find: '    "node_modules/fastify": {',
      replace: '"node_modules/fastify": {"hasInstallScript": true,',
    },
    {
      name: 'a package that its publisher has deprecated',
      file: 'package-lock.json',
      find: '    "node_modules/yaml": {',
      replace: '"node_modules/yaml": {"deprecated": "use another",',
    },
    {
      name: 'a package that is no longer maintained',
      file: 'package-lock.json',
      find: '    "node_modules/yaml": {',
      replace:
        '"node_modules/prom-client": {"version": "15.1.3", "integrity": "sha512-x", "license": "MIT"}, "node_modules/yaml": {',
    },
    {
      name: 'a package of the console that a production install brings',
      file: 'console/package.json',
      find: '"devDependencies"',
      replace: '"dependencies"',
    },
    {
      name: 'a version in a workspace that is not the one in the lockfile',
      file: 'bench/package.json',
      find: '"pg": "',
      replace: '"pg": "1',
    },
    {
      name: 'a dependency without a documented reason',
      file: 'docs/decisions/0003-production-dependencies.md',
      find: '| `yaml` |',
      replace: '| yaml |',
    },
  ],
  run,
}

async function run({ build, count, progress }: Run): Promise<Outcome> {
  const found = readSupply(build)
  const all = Object.entries(checks).map(([title, check]): [string, string[]] => [title, check(found)])
  const kept = readFileSync(join(build, 'docs/sbom.json'), 'utf8')
  const old = kept === sbomText(found) ? [] : ['docs/sbom.json is not what the lockfile says']
  all.push(['bill of materials out of date', old])
  progress(count)
  const figures = Object.fromEntries(all.map(([title, faults]) => [title, faults.length]))
  return {
    figures: { packages: productionPackages(found.lockfile).length, ...figures },
    violations: all.flatMap(([title, faults]) => faults.map((fault) => ({ what: fault, history: [title] }))),
  }
}
