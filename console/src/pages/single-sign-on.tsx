import { Button, Divider } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { call } from '../api/client.ts'
import { useRead } from '../api/hooks.ts'
import { defineWords } from '../app/define-words.ts'
import { useWords } from '../app/language.tsx'

const singleSignOn = defineWords(
  { or: 'or', with: (name: string) => `Continue with ${name}` },
  { or: 'ou', with: (name: string) => `Continuer avec ${name}` },
)

interface Ways {
  single_sign_on: { name: string } | null
}

const destination = 'atrium-sign-in-to'

/** The provider's response in the address; removed before the router reads it, and used once. */
let pendingQuery =
  /\/sign-in\/?$/.test(location.pathname) && /[?&]state=/.test(location.search) ? location.search : undefined

/** Button to sign in at the provider; renders nothing when none is configured. */
export function SingleSignOn({ to, onProblem }: { to: string | undefined; onProblem: (problem: unknown) => void }) {
  const words = useWords(singleSignOn)
  const [busy, setBusy] = useState(false)
  const { data } = useRead<Ways>('/sign-in')
  const provider = data?.data.single_sign_on
  if (!provider) return null
  const leave = async () => {
    setBusy(true)
    try {
      const { data } = await call<{ location: string }>('POST', '/sign-in/oidc')
      sessionStorage.setItem(destination, to ?? '')
      location.assign(data.location)
    } catch (problem) {
      setBusy(false)
      onProblem(problem)
    }
  }
  return (
    <>
      <Divider label={words.or} />
      <Button variant="default" loading={busy} onClick={leave} fullWidth>
        {words.with(provider.name)}
      </Button>
    </>
  )
}

/** Reads the provider's response and the page to return to, and removes both from the address at once. */
export function useReturn(use: (query: string, to: string | undefined) => void): boolean {
  const [isThere] = useState(() => pendingQuery !== undefined)
  const latest = useRef(use)
  latest.current = use
  useEffect(() => {
    if (pendingQuery === undefined) return
    const query = pendingQuery
    pendingQuery = undefined
    history.replaceState(history.state, '', location.pathname)
    latest.current(query, sessionStorage.getItem(destination) ?? undefined)
    sessionStorage.removeItem(destination)
  }, [])
  return isThere
}
