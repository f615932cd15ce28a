import { Button, Loader, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { call, Problem } from '../api/client.ts'
import { defineWords } from '../app/define-words.ts'
import { useWords } from '../app/language.tsx'
import { Page } from './page.tsx'
import { common } from './words.ts'

const reconnectWords = defineWords(
  {
    waiting: 'This page opens as soon as Atrium responds.',
    updatedTitle: 'Atrium was updated',
    updated: 'Reload the page to use the new version. Unsaved changes are kept.',
    reload: 'Reload',
  },
  {
    waiting: 'Cette page s’ouvrira dès qu’Atrium répondra.',
    updatedTitle: 'Atrium a été mis à jour',
    updated: 'Rechargez la page pour utiliser la nouvelle version. Les modifications non enregistrées sont conservées.',
    reload: 'Recharger',
  },
)

const tryEveryMs = 2000
const reloadedAt = 'atrium-reloaded-at'
/** If a reload leads here again within this time, it is not repeated. */
const oneReloadPerMs = 30_000

/** Shown when a chunk cannot be loaded: waits for the server, then reloads the page, but only once. */
export function Reconnect() {
  const words = useWords(reconnectWords)
  const shared = useWords(common)
  const state = useReconnection()
  if (state === 'updated') {
    return (
      <Page title={words.updatedTitle}>
        <Text mb="md">{words.updated}</Text>
        <Button onClick={() => location.reload()}>{words.reload}</Button>
      </Page>
    )
  }
  if (state === 'asking') return <Loader size="sm" m="xl" />
  return (
    <Page title={shared.unreachableTitle}>
      <Text role="status">
        <Loader size="xs" mr={8} />
        {words.waiting}
      </Text>
    </Page>
  )
}

function useReconnection(): 'asking' | 'unreachable' | 'updated' {
  const [state, setState] = useState<'asking' | 'unreachable' | 'updated'>('asking')
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const ask = async () => {
      const isThere = await isReachable()
      if (isOver) return
      if (!isThere) {
        setState('unreachable')
        timer = setTimeout(ask, tryEveryMs)
      } else if (Date.now() - Number(sessionStorage.getItem(reloadedAt)) < oneReloadPerMs) {
        setState('updated')
      } else {
        sessionStorage.setItem(reloadedAt, String(Date.now()))
        location.reload()
      }
    }
    void ask()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [])
  return state
}

/** A proxy may respond for an unreachable server. */
async function isReachable(): Promise<boolean> {
  try {
    await call('GET', '/sign-in')
    return true
  } catch (error) {
    return error instanceof Problem && error.status !== 0 && error.status < 500
  }
}
