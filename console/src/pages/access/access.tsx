import { Autocomplete, Button, Code, Group, Select, Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useCallback, useEffect, useMemo, useState } from 'react'
import { useChange } from '../../api/hooks.ts'
import { defineWords } from '../../app/define-words.ts'
import { useWords } from '../../app/language.tsx'
import { Page } from '../../parts/page.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { PartnerSelect } from '../../parts/selects.tsx'
import { same } from '../../parts/use-draft.ts'
import { common } from '../../parts/words.ts'
import { type Decision, Verdict } from './verdict.tsx'

const accessWords = defineWords(
  {
    title: 'Access',
    intro:
      'See the exact response a partner would get. Requests that change something are only checked, never carried out.',
    partner: 'Partner',
    method: 'Method',
    path: 'Path',
    check: 'Check',
    examples: 'Example',
  },
  {
    title: 'Accès',
    intro:
      'Voyez la réponse exacte qu’un partenaire recevrait. Les requêtes de modification sont simulées, jamais exécutées.',
    partner: 'Partenaire',
    method: 'Méthode',
    path: 'Chemin',
    check: 'Vérifier',
    examples: 'Exemple',
  },
)

const paths = [
  '/v1/facilities/',
  '/v1/facilities/lyon-01/',
  '/v1/facilities/lyon-01/areas',
  '/v1/facilities/lyon-01/name',
  '/v1/me',
]

/** "See as partner" page; the request is stored in the address, so that a link can be shared. */
export function AccessPage() {
  const words = useWords(accessWords)
  const { partner = '', method = 'GET', path = '/v1/facilities/' } = useSearch({ from: '/signed-in/access' })
  const check = useChange<Decision>([])
  const ask = check.mutate
  const question = useMemo(() => ({ partner, method, path }), [partner, method, path])
  const send = useCallback((body: AccessQuery) => ask({ method: 'POST', path: '/access-check', body }), [ask])
  useEffect(() => {
    if (question.partner !== '') send(question)
  }, [question, send])
  return (
    <Page title={words.title}>
      <Text size="sm" c="dimmed" mb="sm" maw={760}>
        {words.intro}
      </Text>
      <Question current={question} repeat={send} isPending={check.isPending} />
      <div role="status">
        {check.error && <ProblemNote error={check.error} />}
        {check.data && <Verdict decision={check.data.data} partner={partner} />}
      </div>
    </Page>
  )
}

interface AccessQuery {
  partner: string
  method: string
  path: string
}

interface QuestionProps {
  current: AccessQuery
  /** Repeats the check, in case permissions have changed. */
  repeat(current: AccessQuery): void
  isPending: boolean
}

function Question({ current, repeat, isPending }: QuestionProps) {
  const { partner, method, path } = current
  const words = useWords(accessWords)
  const { labelled } = useWords(common)
  const navigate = useNavigate({ from: '/access' })
  const [chosen, choose] = useState(partner)
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = Object.fromEntries(new FormData(event.currentTarget)) as unknown as AccessQuery
    if (same({ ...current, ...form }, current)) repeat(current)
    else void navigate({ search: form })
  }
  return (
    <form onSubmit={send} key={`${partner} ${method} ${path}`}>
      <Group align="flex-end" gap="xs" mb="md">
        <PartnerSelect
          data-search
          label={words.partner}
          name="partner"
          value={chosen}
          onChange={choose}
          required
          w={280}
        />
        <Select
          label={words.method}
          name="method"
          data={['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']}
          defaultValue={method}
          w={110}
        />
        <Autocomplete label={words.path} name="path" data={paths} defaultValue={path} required flex={1} miw={260} />
        <Button type="submit" loading={isPending}>
          {words.check}
        </Button>
      </Group>
      <Text size="xs" c="dimmed" mb="md">
        {labelled(words.examples, '')}
        <Code>PATCH /v1/facilities/lyon-01/name</Code>
      </Text>
    </form>
  )
}
