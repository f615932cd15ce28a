import { DCLinter } from 'dclint'
import { validate } from 'dockerfile-utils'

/** Linters; each returns one line per fault. */
export function lintDockerfile(text: string): string[] {
  return validate(text).map(({ message, range }) => `line ${range.start.line + 1}: ${message}`)
}

interface ComposeFaults {
  messages: { line: number; message: string }[]
}

export function lintCompose(file: string): string[] {
  const linter = new DCLinter({ rules: {}, quiet: false, debug: false, exclude: [] })
  const found: ComposeFaults[] = linter.lintFiles([file], false)
  return found.flatMap(({ messages }) => messages.map(({ line, message }) => `line ${line}: ${message}`))
}

/** Validates with the schemas of the Kubernetes API. */
export async function lintManifest(manifest: { apiVersion: string; kind: string }): Promise<string[]> {
  const { apiVersion, kind } = manifest
  const model = (await import(`kubernetes-models/${apiVersion}/${kind}`))[kind]
  try {
    new model(manifest).validate()
    return []
  } catch (error) {
    return [`${kind}: ${(error as Error).message}`]
  }
}
