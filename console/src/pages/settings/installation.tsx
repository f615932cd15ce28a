import { NumberInput } from '@mantine/core'
import type { Answer } from '../../api/client.ts'
import { useRead } from '../../api/hooks.ts'
import { useWords } from '../../app/language.tsx'
import form from '../../parts/form.module.css'
import { ProblemNote, tell } from '../../parts/problem.tsx'
import { SaveBar } from '../../parts/save-bar.tsx'
import { useDraft } from '../../parts/use-draft.ts'
import { useSave } from '../../parts/use-save.ts'
import { common } from '../../parts/words.ts'
import { installationWords } from './installation-words.ts'

type Values = Record<string, number>

export function Installation() {
  const { data, error } = useRead<Values>('/settings')
  if (error) return <ProblemNote error={error} />
  return data ? <Limits answer={data} /> : null
}

function Limits({ answer }: { answer: Answer<Values> }) {
  const names = useWords(installationWords)
  const shared = useWords(common)
  const draft = useDraft<Values>('/settings', answer.data)
  const saving = useSave<Values>('PATCH', '/settings', ['/settings'], () => {
    draft.discard()
    tell(shared.saved)
  })
  const numbers = Object.keys(names).filter((name) => name in answer.data)
  const changed = () =>
    Object.fromEntries(
      numbers.filter((name) => draft.value[name] !== answer.data[name]).map((name) => [name, draft.value[name]]),
    )
  return (
    <>
      <div className={form.form}>
        {numbers.map((name) => (
          <NumberInput
            key={name}
            label={names[name]?.[0]}
            description={names[name]?.[1]}
            value={draft.value[name] ?? 0}
            min={0}
            thousandSeparator=" "
            onChange={(value) => draft.change({ [name]: Number(value) })}
          />
        ))}
      </div>
      <SaveBar draft={draft} saving={saving} onSave={() => saving.save(changed(), answer.etag)} />
    </>
  )
}
