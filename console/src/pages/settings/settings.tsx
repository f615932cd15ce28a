import { Tabs } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMay } from '../../api/session.ts'
import { useWords } from '../../app/language.tsx'
import { Page } from '../../parts/page.tsx'
import { About } from './about.tsx'
import { Account } from './account.tsx'
import { Estate } from './estate.tsx'
import { Installation } from './installation.tsx'
import { Keys } from './keys.tsx'
import { Operators } from './operators.tsx'
import { Sessions } from './sessions.tsx'
import { settingsWords } from './words.ts'

const pages = {
  operators: Operators,
  keys: Keys,
  sessions: Sessions,
  account: Account,
  installation: Installation,
  estate: Estate,
  about: About,
}

type Name = keyof typeof pages

export function SettingsPage() {
  const words = useWords(settingsWords)
  const { tab } = useSearch({ from: '/signed-in/settings' })
  const navigate = useNavigate({ from: '/settings' })
  const isAdmin = useMay('admin')
  const names = (Object.keys(pages) as Name[]).filter(
    (name) => isAdmin || !['operators', 'installation', 'estate'].includes(name),
  )
  const shown = names.find((name) => name === tab) ?? names[0] ?? 'keys'
  const Shown = pages[shown]
  return (
    <Page title={words.title}>
      <Tabs
        value={shown}
        onChange={(next) => void navigate({ search: next === null || next === names[0] ? {} : { tab: next } })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {names.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {words[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={shown}>
          <Shown />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}
