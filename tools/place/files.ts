import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

export const root = join(import.meta.dirname, '../..')
export const deploy = join(root, 'deploy')

export function textOf(name: string): string {
  return readFileSync(join(root, name), 'utf8')
}

// biome-ignore lint/suspicious/noExplicitAny: files of others' forms, which their own schemas check
export function yamlOf(name: string): any {
  return parse(textOf(name), { merge: true })
}

/** Returns the Kubernetes manifests by file name. */
export function manifestFiles(): string[] {
  return globSync('*.yaml', { cwd: join(deploy, 'kubernetes') })
    .filter((name) => name !== 'kustomization.yaml')
    .sort()
}

export interface Alert {
  alert: string
  expr: string
  annotations: { runbook: string }
}

export function alerts(): Alert[] {
  return yamlOf('deploy/prometheus/alerts.yaml').groups.flatMap(({ rules }: { rules: Alert[] }) => rules)
}

export interface Panel {
  id: number
  title: string
  gridPos: { x: number; y: number; w: number; h: number }
  targets: { expr: string }[]
}

export function panels(): Panel[] {
  return JSON.parse(textOf('deploy/grafana/atrium.json')).panels
}

/** Returns every query of the dashboard and the alerts with its source. */
export function queries(): { of: string; expr: string }[] {
  return [
    ...alerts().map(({ alert, expr }) => ({ of: alert, expr })),
    ...panels().flatMap(({ title, targets }) => targets.map(({ expr }) => ({ of: title, expr }))),
  ]
}
