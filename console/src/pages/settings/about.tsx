import { Anchor, Table } from '@mantine/core'
import { useRead } from '../../api/hooks.ts'
import { useWords } from '../../app/language.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { DateTime } from '../../parts/time.tsx'
import { settingsWords } from './words.ts'

interface Running {
  version: string
  node: string
  engine: string
  started_at: string
  migrations: string[]
}

/** Versions and database of the installation. */
export function About() {
  const { aboutRows: words } = useWords(settingsWords)
  const { data, error } = useRead<Running>('/about')
  if (error) return <ProblemNote error={error} />
  if (data === undefined) return null
  const { version, node, engine, started_at: startedAt, migrations } = data.data
  const rows = [
    [words.version, version],
    [words.node, node],
    [words.engine, engine],
    [words.started, <DateTime key="started" at={startedAt} />],
    [words.migrations, migrations.join(', ')],
    [
      words.reference,
      <Anchor key="reference" href="/docs" size="sm">
        /docs
      </Anchor>,
    ],
  ] as const
  return (
    <Table variant="vertical" maw={720} withTableBorder>
      <Table.Tbody>
        {rows.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th w={180}>{name}</Table.Th>
            <Table.Td>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
