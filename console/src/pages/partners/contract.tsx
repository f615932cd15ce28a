import { List, Text, Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ApiResponse, call, type Problem } from '../../api/client.ts'
import { defineWords } from '../../app/define-words.ts'
import { useWords } from '../../app/language.tsx'
import form from '../../parts/form.module.css'
import { ProblemNote } from '../../parts/problem.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { common } from '../../parts/words.ts'

const contractWords = defineWords(
  {
    schema: 'Contract: a JSON Schema that each service must satisfy',
    schemaHelp: 'Leave empty for no contract.',
    sample: 'Sample services: a JSON list',
    sampleHelp: 'Checked as you type. Nothing is stored.',
    notJson: 'This is not valid JSON.',
    valid: 'satisfies the contract',
    invalid: 'does not satisfy the contract',
    one: (at: number) => `Sample ${at}`,
    badSchema: 'The contract itself is not a valid JSON Schema',
  },
  {
    schema: 'Contrat : un JSON Schema que chaque service doit respecter',
    schemaHelp: 'Laissez vide pour n’imposer aucun contrat.',
    sample: 'Exemples de services : une liste en JSON',
    sampleHelp: 'Vérifiés pendant la saisie ; rien n’est conservé.',
    notJson: 'Ce n’est pas du JSON valide.',
    valid: 'respecte le contrat',
    invalid: 'ne respecte pas le contrat',
    one: (at: number) => `Exemple ${at}`,
    badSchema: 'Le contrat lui-même n’est pas un JSON Schema valide',
  },
)

interface Checked {
  valid: boolean
  error?: string | null
  results: { ok: boolean; errors: { pointer: string; detail: string }[] }[]
}

const firstSample = JSON.stringify([{ code: 'tv-premium', label: 'Premium TV', end: '2030-01-31' }], null, 2)

interface Props {
  text: string
  error: string | undefined
  onChange(text: string): void
  readOnly: boolean
}

/** Editor of the contract, which is checked against samples while typing. */
export function Contract({ text, error, onChange, readOnly }: Props) {
  const words = useWords(contractWords)
  const [sample, setSample] = useState(firstSample)
  const [debounced] = useDebouncedValue({ text, sample }, 300)
  const contract = parsed(debounced.text)
  const samples = parsed(debounced.sample)
  const body = { contract, samples: Array.isArray(samples) ? samples : [samples] }
  const check = useQuery<ApiResponse<Checked>, Problem>({
    queryKey: ['contract-check', body],
    queryFn: () => call<Checked>('POST', '/contract/check', { body }),
    enabled: contract !== undefined && samples !== undefined && debounced.text.trim() !== '',
  })
  return (
    <div className={form.form} style={{ maxWidth: 'none' }}>
      <Textarea
        label={words.schema}
        description={words.schemaHelp}
        error={parsed(text) === undefined ? words.notJson : error}
        value={text}
        readOnly={readOnly}
        rows={20}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <div>
        <Textarea
          label={words.sample}
          description={words.sampleHelp}
          error={parsed(sample) === undefined ? words.notJson : undefined}
          value={sample}
          rows={10}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          onChange={(event) => setSample(event.currentTarget.value)}
        />
        <div role="status">
          {check.error && <ProblemNote error={check.error} />}
          {check.data && <Results checked={check.data.data} />}
        </div>
      </div>
    </div>
  )
}

function Results({ checked }: { checked: Checked }) {
  const words = useWords(contractWords)
  const { labelled } = useWords(common)
  if (!checked.valid) {
    return (
      <Text size="sm" mt="sm" c="var(--bad)">
        {labelled(words.badSchema, checked.error ?? '')}
      </Text>
    )
  }
  return (
    <List listStyleType="none" mt="sm" spacing={6} size="sm">
      {checked.results.map(({ ok, errors }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a sample is known by its place
        <List.Item key={at}>
          <StateBadge mood={ok ? 'good' : 'bad'}>{words.one(at + 1)}</StateBadge> {ok ? words.valid : words.invalid}
          {errors.map(({ pointer, detail }) => (
            <Text key={pointer + detail} size="sm" c="dimmed">
              <code>{pointer || '/'}</code> {detail}
            </Text>
          ))}
        </List.Item>
      ))}
    </List>
  )
}

/** Returns undefined for invalid JSON, null for an empty text. */
function parsed(text: string): unknown {
  if (text.trim() === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the value to save; invalid JSON is sent as text, so that the API reports the fault. */
export function parsedContract(text: string): unknown {
  const value = parsed(text)
  return value === undefined ? text : value
}
