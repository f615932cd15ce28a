import { Button, Loader, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { call } from '../api/client.ts'
import { sessionQuery } from '../api/session.ts'
import type { SignedIn } from '../api/types.ts'
import { defineWords } from '../app/define-words.ts'
import { useWords } from '../app/language.tsx'
import { ProblemNote } from '../parts/problem.tsx'
import classes from './sign-in.module.css'
import { SingleSignOn, useReturn } from './single-sign-on.tsx'

const signIn = defineWords(
  {
    title: 'Sign in to Atrium',
    email: 'Email',
    password: 'Password',
    submit: 'Sign in',
    underWay: 'Signing in…',
    help: 'No password yet, or forgotten it? An administrator can create a link that signs you in once.',
  },
  {
    title: 'Se connecter à Atrium',
    email: 'E-mail',
    password: 'Mot de passe',
    submit: 'Se connecter',
    underWay: 'Connexion…',
    help: 'Pas encore de mot de passe, ou oublié ? Un administrateur peut vous créer un lien de connexion à usage unique.',
  },
)

export function SignInPage() {
  const words = useWords(signIn)
  useDocumentTitle(words.title)
  const { busy, error, to, submit, setError } = useSignIn()
  const byLink = useLinkOfAddress((secret) => submit('/sign-in/link', { secret }))
  const byReturn = useReturn((query, before) => submit('/sign-in/oidc/return', { query }, before))
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    void submit('/sign-in', { email: form.get('email'), password: form.get('password') })
  }
  return (
    <main className={classes.page}>
      <div className={`panel ${classes.card}`}>
        <div className={classes.brand}>
          <img src="/assets/atrium.svg" alt="" width={32} height={32} />
          <h1>{words.title}</h1>
        </div>
        {(byLink || byReturn) && busy ? (
          <Text role="status">
            <Loader size="xs" mr={8} /> {words.underWay}
          </Text>
        ) : (
          <form onSubmit={send}>
            <Stack gap="sm">
              {error !== undefined && <ProblemNote error={error} />}
              <TextInput label={words.email} name="email" type="email" autoComplete="username" required autoFocus />
              <PasswordInput label={words.password} name="password" autoComplete="current-password" required />
              <Button type="submit" loading={busy} mt={4} fullWidth>
                {words.submit}
              </Button>
              <SingleSignOn to={to} onProblem={setError} />
              <Text size="xs" c="dimmed">
                {words.help}
              </Text>
            </Stack>
          </form>
        )}
      </div>
    </main>
  )
}

function useSignIn() {
  const client = useQueryClient()
  const router = useRouter()
  const { to } = useSearch({ from: '/sign-in' })
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const submit = async (path: string, body: object, target = to) => {
    setBusy(true)
    setError(undefined)
    try {
      const signedIn = await call<SignedIn>('POST', path, { body })
      client.clear()
      client.setQueryData(sessionQuery.queryKey, signedIn)
      // Accepts only paths of this console, to prevent open redirects.
      router.history.push(
        target?.startsWith('/') && !target.startsWith('//')
          ? `/console${target.replace(/^\/console/, '')}`
          : '/console/',
      )
    } catch (problem) {
      setError(problem)
    } finally {
      setBusy(false)
    }
  }
  return { busy, error, to, submit, setError }
}

/** Reads the secret from the fragment, which browsers do not send to servers, and removes it from the address at once. */
function useLinkOfAddress(use: (secret: string) => void): boolean {
  const [isThere, setIsThere] = useState(() => secretOfAddress() !== null)
  const latest = useRef(use)
  latest.current = use
  useEffect(() => {
    const take = () => {
      const secret = secretOfAddress()
      if (secret === null) return
      setIsThere(true)
      history.replaceState(history.state, '', location.pathname + location.search)
      latest.current(secret)
    }
    take()
    window.addEventListener('hashchange', take)
    return () => window.removeEventListener('hashchange', take)
  }, [])
  return isThere
}

function secretOfAddress(): string | null {
  return new URLSearchParams(location.hash.slice(1)).get('link')
}
