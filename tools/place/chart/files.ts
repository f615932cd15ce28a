import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import Ajv from 'ajv'
import { parse } from 'yaml'

// biome-ignore lint/suspicious/noExplicitAny: values of others' forms
export type Values = Record<string, any>

export interface Chart {
  manifest: { name: string; version: string; appVersion: string }
  values: Values
  schema: object
  /** By file name. */
  templates: Record<string, string>
}

export function readChart(root: string): Chart {
  const folder = join(root, 'deploy/helm/atrium')
  const text = (name: string) => readFileSync(join(folder, name), 'utf8')
  const files = globSync('templates/*', { cwd: folder }).sort()
  return {
    manifest: parse(text('Chart.yaml')),
    values: parse(text('values.yaml')),
    schema: JSON.parse(text('values.schema.json')),
    templates: Object.fromEntries(files.map((file) => [basename(file), text(file)])),
  }
}

/** Merges values as Helm does: objects by key, everything else as a whole. */
export function mergeValues(defaults: Values, given: Values): Values {
  const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
  const merged = Object.entries(given).map(([key, value]) => {
    const old = defaults[key]
    return [key, isObject(old) && isObject(value) ? mergeValues(old, value) : value]
  })
  return { ...defaults, ...Object.fromEntries(merged) }
}

/** Returns the faults of values, by the schema of the chart. */
export function valueFaults({ schema }: Chart, values: Values): string[] {
  const validate = new Ajv.Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema)
  validate(values)
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`)
}

/** Returns the values that templates use and `values.yaml` lacks, and those in it that no template uses. */
export function unmatchedValues({ templates, values }: Chart): string[] {
  const used = Object.values(templates).flatMap((text) =>
    Array.from(text.matchAll(/\.Values\.([\w.]+)/g), ([, path = '']) => path),
  )
  const known = paths(values)
  const isWithin = (path: string, other: string) => path === other || path.startsWith(`${other}.`)
  return [
    ...used.filter((path) => !known.some((one) => isWithin(one, path))).map((path) => `${path} has no default`),
    ...known.filter((path) => !used.some((one) => isWithin(path, one))).map((path) => `${path} is not used`),
  ]
}

/** Returns the path of every leaf; a list or an empty object is one. */
function paths(values: Values, parent = ''): string[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const isLeaf =
      typeof value !== 'object' || value === null || Array.isArray(value) || Object.keys(value).length === 0
    return isLeaf ? [parent + key] : paths(value, `${parent}${key}.`)
  })
}
