import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import type { Language, Words } from './define-words.ts'

export type { Language }

interface LanguageChoice {
  language: Language
  choose(language: Language): void
}

const LanguageContext = createContext<LanguageChoice>({ language: 'en', choose: () => {} })
const storageKey = 'atrium-language'

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState<Language>(firstLanguage)
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  const choice = useMemo(
    () => ({
      language,
      choose: (next: Language) => {
        localStorage.setItem(storageKey, next)
        setLanguage(next)
      },
    }),
    [language],
  )
  return <LanguageContext value={choice}>{children}</LanguageContext>
}

function firstLanguage(): Language {
  const chosen = localStorage.getItem(storageKey)
  if (chosen === 'en' || chosen === 'fr') return chosen
  return navigator.language.startsWith('fr') ? 'fr' : 'en'
}

export function useLanguage(): LanguageChoice {
  return useContext(LanguageContext)
}

export function useWords<T>(words: Words<T>): T {
  return words[useLanguage().language]
}
