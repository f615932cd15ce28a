import { segment } from '../../api/client.ts'
import { useRead } from '../../api/hooks.ts'
import type { Token } from '../../api/types.ts'
import { useWords } from '../../app/language.tsx'
import { Empty } from '../../parts/page.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { TokenTable } from '../../parts/token-table.tsx'
import { tokenWords } from '../../parts/token-words.ts'

export function Tokens({ partner }: { partner: string }) {
  const words = useWords(tokenWords)
  const list = `/partners/${segment(partner)}/tokens`
  const { data, error } = useRead<Token[]>(list)
  return (
    <>
      {error && <ProblemNote error={error} />}
      <TokenTable
        rows={data?.data}
        base="/tokens"
        ofPartner
        list={list}
        createLabel={words.newToken}
        empty={<Empty title={words.noTokens}>{words.noTokensHelp}</Empty>}
      />
    </>
  )
}
