import { Button, Group } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { pathWith } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import { useWords } from '../../app/language.tsx'
import { withoutEmpty } from '../../app/search.ts'
import { FilterText } from '../../parts/filter-text.tsx'
import { Page } from '../../parts/page.tsx'
import { SearchBox } from '../../parts/search-box.tsx'
import { AuditTable } from './table.tsx'
import { auditWords } from './words.ts'

export function AuditPage() {
  const words = useWords(auditWords)
  const search = useSearch({ from: '/signed-in/audit' })
  const navigate = useNavigate({ from: '/audit' })
  const isAdmin = useMay('admin')
  const set = (change: Partial<typeof search>) =>
    void navigate({ search: (before) => withoutEmpty({ ...before, ...change }), replace: true })
  const exports = isAdmin && (
    <>
      <Button component="a" variant="default" href="/cms/v1/audit/export?format=csv" download>
        {words.exportCsv}
      </Button>
      <Button component="a" variant="default" href="/cms/v1/audit/export?format=json" download>
        {words.exportJson}
      </Button>
    </>
  )
  return (
    <Page title={words.title} actions={exports}>
      <Group gap="xs" mb="sm" className="filters">
        <SearchBox label={words.actor} value={search.actor ?? ''} onChange={(actor) => set({ actor })} />
        <FilterText label={words.action} value={search.action} onEnter={(action) => set({ action })} />
        <FilterText label={words.facility} value={search.facility} onEnter={(facility) => set({ facility })} />
        <FilterText label={words.partner} value={search.partner} onEnter={(partner) => set({ partner })} />
      </Group>
      <AuditTable path={pathWith('/audit', search)} />
    </Page>
  )
}
