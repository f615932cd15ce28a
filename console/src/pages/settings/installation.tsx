import { NumberInput } from '@mantine/core'
import type { SettingName } from '../../../../src/domain/setting.ts'
import type { ApiResponse } from '../../api/client.ts'
import { useRead } from '../../api/hooks.ts'
import { useWords } from '../../app/language.tsx'
import { useFieldErrors } from '../../parts/field-errors.ts'
import form from '../../parts/form.module.css'
import { ProblemNote } from '../../parts/problem.tsx'
import { SaveBar } from '../../parts/save-bar.tsx'
import { useDraft } from '../../parts/use-draft.ts'
import { useSave } from '../../parts/use-save.ts'
import { installationWords } from './installation-words.ts'

type Values = Record<SettingName, number | null>

export function Installation() {
  const { data, error } = useRead<Values>('/settings')
  if (error) return <ProblemNote error={error} />
  return data ? <Limits response={data} /> : null
}

function Limits({ response }: { response: ApiResponse<Values> }) {
  const names = useWords(installationWords)
  const draft = useDraft<Values>('/settings', response.data, response.etag)
  const saving = useSave<Values>('PATCH', '/settings', ['/settings'], draft)
  const numbers = Object.keys(names) as SettingName[]
  const errors = useFieldErrors(saving.error)
  const labels = Object.fromEntries(numbers.map((name) => [`/${name}`, names[name][0]]))
  const changed = () =>
    Object.fromEntries(
      numbers.filter((name) => draft.value[name] !== response.data[name]).map((name) => [name, draft.value[name]]),
    )
  return (
    <>
      <div className={form.form}>
        {numbers.map((name) => (
          <NumberInput
            key={name}
            label={names[name][0]}
            description={names[name][1]}
            value={draft.value[name] ?? ''}
            // Keeps out-of-range numbers as typed; the API reports the fault.
            clampBehavior="none"
            allowDecimal={false}
            error={errors.at(`/${name}`)}
            thousandSeparator=" "
            onChange={(value) => draft.change({ [name]: value === '' ? null : Number(value) })}
          />
        ))}
      </div>
      <SaveBar draft={draft} saving={saving} labels={labels} onSave={() => saving.save(changed())} />
    </>
  )
}
