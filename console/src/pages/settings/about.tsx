import { Table } from '@mantine/core'
import { useRead } from '../../api/hooks.ts'
import { useWords } from '../../app/language.tsx'
import { Empty } from '../../parts/page.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { settingsWords } from './words.ts'

export function About() {
  const words = useWords(settingsWords)
  const { data, error } = useRead<Record<string, unknown>>('/about')
  if (error?.status === 404) return <Empty title={words.noRoute} />
  if (error) return <ProblemNote error={error} />
  return (
    <Table variant="vertical" maw={620} withTableBorder>
      <Table.Tbody>
        {Object.entries(data?.data ?? {}).map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th w={200}>{name.replaceAll('_', ' ')}</Table.Th>
            <Table.Td>{typeof value === 'string' ? value : JSON.stringify(value)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
