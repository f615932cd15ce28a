import { Button, Menu } from '@mantine/core'
import { pathWith } from '../api/client.ts'
import { defineWords } from '../app/define-words.ts'
import { useWords } from '../app/language.tsx'
import { Icon } from './icons.tsx'

const exportWords = defineWords(
  {
    export: 'Export',
    all: 'Everything',
    filtered: 'Filtered entries',
    formats: { csv: 'CSV, for spreadsheets', json: 'JSON, for programs' },
  },
  {
    export: 'Exporter',
    all: 'Tout',
    filtered: 'Entrées filtrées',
    formats: { csv: 'CSV, pour un tableur', json: 'JSON, pour un programme' },
  },
)

interface Props {
  /** API path of the export. */
  path: string
  filters: Record<string, string | undefined>
}

/** Menu to download a log with the current filters. */
export function ExportMenu({ path, filters }: Props) {
  const words = useWords(exportWords)
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <Button variant="default" rightSection={<Icon name="down" size={14} />}>
          {words.export}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{isFiltered ? words.filtered : words.all}</Menu.Label>
        {(['csv', 'json'] as const).map((format) => (
          <Menu.Item key={format} component="a" href={`/cms/v1${pathWith(path, { ...filters, format })}`} download>
            {words.formats[format]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
