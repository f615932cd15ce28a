import { Code, Table, Text } from '@mantine/core'
import { defineWords } from '../../app/define-words.ts'
import { useLanguage, useWords } from '../../app/language.tsx'
import { faultIn } from '../../parts/fault-words.ts'
import { TextLink } from '../../parts/link.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { permissionName, rightWords } from '../partners/right-words.ts'

export interface Decision {
  allowed: boolean
  route: string | null
  code: string | null
  detail: string | null
  needs: string | null
  facility: string | null
  grant: number | null
  answer: { status: number; headers: Record<string, string>; body: unknown } | null
}

const verdictWords = defineWords(
  {
    allowed: 'allowed',
    refused: 'refused',
    route: 'Route',
    needs: 'Requires',
    decided: 'Decided by',
    grant: (at: number) => `permission ${at}`,
    noGrant: 'no matching permission',
    code: 'Code',
    facility: 'Facility',
    status: 'Status',
    headers: 'Headers',
    body: 'Body',
    notDone: 'The request would be carried out. This was only a check.',
  },
  {
    allowed: 'autorisée',
    refused: 'refusée',
    route: 'Route',
    needs: 'Requiert',
    decided: 'Décidée par',
    grant: (at: number) => `l’autorisation ${at}`,
    noGrant: 'aucune autorisation correspondante',
    code: 'Code',
    facility: 'Établissement',
    status: 'Statut',
    headers: 'En-têtes',
    body: 'Corps',
    notDone: 'La requête serait exécutée. Ceci est une simulation.',
  },
)

export function Verdict({ decision, partner }: { decision: Decision; partner: string }) {
  const words = useWords(verdictWords)
  const { language } = useLanguage()
  const rights = useWords(rightWords)
  const { allowed, route, code, detail, needs, facility, grant, answer } = decision
  const decidedBy =
    grant === null ? (
      needs !== null && !allowed && words.noGrant
    ) : (
      <TextLink to="/partners/$partnerId" params={{ partnerId: partner }} size="sm">
        {words.grant(grant + 1)}
      </TextLink>
    )
  const rows = [
    [words.route, route && <code>{route}</code>],
    [words.needs, needs && <span title={needs}>{permissionName(needs, rights)}</span>],
    [words.facility, facility],
    [words.decided, decidedBy],
    [words.code, code && <code>{code}</code>],
    [words.status, answer?.status],
  ] as const
  return (
    <div className="panel" style={{ padding: 16 }}>
      <StateBadge mood={allowed ? 'good' : 'bad'}>{allowed ? words.allowed : words.refused}</StateBadge>
      {detail && (
        <Text size="sm" mt={8}>
          {faultIn(language, detail)}
        </Text>
      )}
      <Table variant="vertical" my="sm" maw={720}>
        <Table.Tbody>
          {rows
            .filter(([, value]) => value)
            .map(([name, value]) => (
              <Table.Tr key={name}>
                <Table.Th w={140}>{name}</Table.Th>
                <Table.Td>{value}</Table.Td>
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
      {answer === null ? <Text size="sm">{words.notDone}</Text> : <ExactResponse answer={answer} />}
    </div>
  )
}

function ExactResponse({ answer }: { answer: NonNullable<Decision['answer']> }) {
  const words = useWords(verdictWords)
  const headers = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`)
  return (
    <>
      <Text fw={600} size="sm">
        {words.headers}
      </Text>
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {headers.join('\n')}
      </Code>
      <Text fw={600} size="sm" mt="sm">
        {words.body}
      </Text>
      <Code block mah={480} tabIndex={0} style={{ overflow: 'auto' }}>
        {JSON.stringify(answer.body, null, 2)?.slice(0, 50_000)}
      </Code>
    </>
  )
}
