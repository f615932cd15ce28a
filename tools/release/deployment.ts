import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tar, temporaryFolder } from './folder.ts'
import type { Project } from './names.ts'

/** Packs the collections for Bruno and Postman. */
export function packCollections({ root, version }: Project, target: string): string {
  const name = `atrium-collections-${version}`
  using folder = temporaryFolder()
  cpSync(join(root, 'collections'), join(folder.path, name), { recursive: true })
  const archive = join(target, `${name}.tar.gz`)
  tar(folder.path, name, archive)
  return archive
}

/** Packs the Helm chart, in the form of `helm package`. */
export function packChart({ root, version }: Project, target: string): string {
  const archive = join(target, `chart/atrium-${version}.tgz`)
  tar(join(root, 'deploy/helm'), 'atrium', archive)
  return archive
}

const packed = [
  ...['atrium.service', 'atrium-mirror.conf', 'atrium-secrets.conf', 'compose.yaml', 'haproxy.cfg'],
  ...['grafana', 'kubernetes', 'prometheus'],
]

/** Packs the deployment files, changed so that they use the published image and the npm package instead of a clone. */
export function packDeployment(project: Project, target: string): string {
  const name = `atrium-deploy-${project.version}`
  using folder = temporaryFolder()
  const made = join(folder.path, name)
  mkdirSync(made)
  for (const part of packed) {
    cpSync(join(project.root, 'deploy', part), join(made, part), { recursive: true })
  }
  change(join(made, 'compose.yaml'), [
    [
      `  build:\n    context: ..\n    dockerfile: deploy/Dockerfile\n  image: atrium:${project.version}`,
      `  image: ${imageOf(project)}`,
    ],
    ['docker compose -f deploy/compose.yaml up --build', 'docker compose up'],
    ['deploy/secrets, which git ignores', 'the folder "secrets"'],
  ])
  change(join(made, 'kubernetes/kustomization.yaml'), [
    ['kubectl apply -k deploy/kubernetes', 'kubectl apply -k kubernetes'],
  ])
  changeUnits(made, project)
  for (const file of globSync('**/*.{yaml,service,conf}', { cwd: made })) {
    const text = readFileSync(join(made, file), 'utf8')
    writeFileSync(join(made, file), text.replaceAll(/docs\/guides\/([\w-]+)\.md/g, '/docs/guides/$1'))
  }
  writeFileSync(join(made, 'README.md'), readmeOf(project))
  const archive = join(target, `${name}.tar.gz`)
  tar(folder.path, name, archive)
  return archive
}

export function imageOf({ names, version }: Project): string {
  return `${names.image}:${version}`
}

/** Returns the page that ends with the section "From a release" of the guide, with links to pages of an installation. */
function readmeOf({ root, version }: Project): string {
  const readme = readFileSync(join(import.meta.dirname, 'deploy-readme.md'), 'utf8')
  const guide = readFileSync(join(root, 'docs/guides/install.md'), 'utf8')
  const section = guide.split(/^(?=## )/m).find((text) => text.startsWith('## From a release\n')) ?? ''
  const steps = replaced(section, [
    ['## From a release', '## Install'],
    ['VERSION=0.2.0', `VERSION=${version}`],
  ])
  return `${readme.replace('VERSION', version)}\n${steps.replaceAll(/\]\(([\w-]*)(?:\.md)?(#[\w-]+)\)/g, toInstallation).trimEnd()}\n`
}

function toInstallation(_: string, page: string, anchor: string): string {
  return `](/docs/guides/${page || 'install'}${anchor})`
}

/** Changes systemd units for a package installed with npm as the guide says, and Node 24 in /usr/bin. */
function changeUnits(made: string, { names }: Project): void {
  const program: Replacement = [
    '/opt/atrium/node_modules/.bin/node /opt/atrium/bin/',
    `/usr/bin/node /opt/atrium/current/node_modules/${names.server}/bin/`,
  ]
  change(join(made, 'atrium-mirror.conf'), [program])
  change(join(made, 'atrium.service'), [
    ['# The Node that npm installed with Atrium, not the one of the machine.', '# Node 24 of the machine.'],
    program,
  ])
}

type Replacement = [from: string, to: string, times?: number]

function change(file: string, replacements: Replacement[]): void {
  writeFileSync(file, replaced(readFileSync(file, 'utf8'), replacements))
}

/** Throws when a text does not occur as often as it should: the file has changed, and so must its replacement. */
function replaced(text: string, replacements: Replacement[]): string {
  return replacements.reduce((all, [from, to, times = 1]) => {
    const found = all.split(from).length - 1
    if (found !== times) throw new Error(`"${from}" occurs ${found} times in a deployment file, not ${times}`)
    return all.replaceAll(from, to)
  }, text)
}
