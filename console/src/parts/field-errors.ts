import { useMemo } from 'react'
import { Problem } from '../api/client.ts'
import { useLanguage, useWords } from '../app/language.tsx'
import { faultIn } from './fault-words.ts'
import { fieldOfCode, problemWords } from './problem-words.ts'

export interface FieldError {
  /** JSON pointer into the request body. */
  pointer: string
  text: string
}

export interface FieldErrors {
  all: FieldError[]
  /** Returns the fault of a field, or of something within it. */
  at(pointer: string): string | undefined
  within(pointer: string): FieldError[]
}

/** Returns the faults of single fields in the language of the operator. */
export function useFieldErrors(error: unknown): FieldErrors {
  const { language } = useLanguage()
  const words = useWords(problemWords)
  return useMemo(() => {
    const problem = error instanceof Problem ? error : undefined
    const all = (problem?.errors ?? []).map(({ pointer = '', detail }) => ({
      pointer,
      text: faultIn(language, detail),
    }))
    const field = fieldOfCode[problem?.code ?? '']
    if (field !== undefined) all.push({ pointer: field, text: words[problem?.code ?? ''] ?? '' })
    const within = (pointer: string) =>
      all.filter((one) => one.pointer === pointer || one.pointer.startsWith(`${pointer}/`))
    return { all, within, at: (pointer) => sentence(within(pointer)[0]?.text) }
  }, [error, language, words])
}

function sentence(text: string | undefined): string | undefined {
  return text && `${text[0]?.toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`
}
