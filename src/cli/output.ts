import { characters } from '../domain/text.ts'

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, process.stdout.isTTY ? 2 : undefined))
}

export function table(heading: string[], rows: string[][]): string {
  return columns([heading, ...rows])
}

export function columns(rows: string[][], indent = ''): string {
  const widths: number[] = []
  for (const row of rows)
    row.forEach((text, at) => {
      widths[at] = Math.max(widths[at] ?? 0, characters(text))
    })
  const pad = (text: string, at: number) => text + ' '.repeat((widths[at] ?? 0) - characters(text))
  return rows.map((row) => `${indent}${row.map(pad).join('  ')}`.trimEnd()).join('\n')
}

export function minute(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)}Z`
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

const control = /[\p{Cc}\p{Cf}\u2028\u2029]/gu

/** Escapes control characters in text from outside, such as names, which could break lines or control the terminal. */
export function escapeControls(text: string): string {
  return text.replaceAll(control, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
