import { Group, Select } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { pathWith } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import { useWords } from '../../app/language.tsx'
import { withoutEmpty } from '../../app/search.ts'
import { ExportMenu } from '../../parts/export-menu.tsx'
import { Page } from '../../parts/page.tsx'
import { ActorSelect, FacilitySelect, PartnerSelect } from '../../parts/selects.tsx'
import { TimeRange } from '../../parts/time-range.tsx'
import { actionWords } from './action-words.ts'
import { AuditTable } from './table.tsx'
import { auditWords } from './words.ts'

export function AuditPage() {
  const words = useWords(auditWords)
  const search = useSearch({ from: '/signed-in/audit' })
  const navigate = useNavigate({ from: '/audit' })
  const isAdmin = useMay('admin')
  const choices = Object.entries(useWords(actionWords)).map(([value, label]) => ({ value, label }))
  const set = (change: Partial<typeof search>) =>
    void navigate({ search: (before) => withoutEmpty({ ...before, ...change }), replace: true })
  const exports = isAdmin && <ExportMenu path="/audit/export" filters={search} />
  return (
    <Page title={words.title} actions={exports}>
      <Group gap="xs" mb="sm" className="filters">
        <ActorSelect
          data-search
          aria-label={words.actor}
          placeholder={words.actor}
          w={260}
          value={search.actor}
          onChange={(actor) => set({ actor })}
        />
        <Select
          aria-label={words.action}
          w={220}
          searchable
          data={[{ value: '', label: words.anyAction }, ...choices]}
          value={search.action ?? ''}
          onChange={(action) => set({ action: action ?? '' })}
        />
        <FacilitySelect
          aria-label={words.facility}
          placeholder={words.facility}
          w={260}
          value={search.facility}
          onChange={(facility) => set({ facility })}
        />
        <PartnerSelect
          aria-label={words.partner}
          placeholder={words.partner}
          w={260}
          value={search.partner}
          onChange={(partner) => set({ partner })}
        />
        <TimeRange period={search} onChange={set} />
      </Group>
      <AuditTable
        path={pathWith('/audit', search)}
        {...(Object.keys(search).length > 0 && { onClear: () => void navigate({ search: {}, replace: true }) })}
      />
    </Page>
  )
}
