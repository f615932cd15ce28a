import { Button, Group } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useWords } from '../app/language.tsx'
import { shell } from '../app/words.ts'
import { ButtonLink } from './link.tsx'
import classes from './page.module.css'
import { common } from './words.ts'

interface PageProps {
  title: string
  /** Breadcrumbs above the title. */
  above?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

export function Page({ title, above, actions, children }: PageProps) {
  useDocumentTitle(`${title} · Atrium`)
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <div className={classes.title}>
          {above && <div className={classes.above}>{above}</div>}
          <h1>{title}</h1>
        </div>
        {actions && <Group gap="xs">{actions}</Group>}
      </div>
      {children}
    </div>
  )
}

/** Empty state: explains what would be here and how to create it. */
export function Empty({ title, children, action }: { title: ReactNode; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className={classes.empty}>
      <strong>{title}</strong>
      {children && <p>{children}</p>}
      {action}
    </div>
  )
}

interface NoMatchProps {
  title: string
  /** Advice on how to search. */
  children?: ReactNode
  onClear(): void
}

/** Empty state of a filtered list. */
export function NoMatch({ title, children, onClear }: NoMatchProps) {
  const { clearFilters } = useWords(common)
  const clear = (
    <Button variant="default" onClick={onClear}>
      {clearFilters}
    </Button>
  )
  return (
    <Empty title={title} action={clear}>
      {children}
    </Empty>
  )
}

interface AbsentProps {
  title: string
  above?: ReactNode
  /** Explanation of why it may be missing. */
  children: ReactNode
  action: ReactNode
}

/** Page for an object that does not exist. */
export function AbsentPage({ title, above, children, action }: AbsentProps) {
  return (
    <Page title={title} above={above}>
      <div className="panel">
        <Empty title={children} action={action} />
      </div>
    </Page>
  )
}

export function MissingPage() {
  const words = useWords(shell)
  return (
    <Page title={words.notFound}>
      <Empty title={words.notFoundHelp} action={<ButtonLink to="/">{words.overview}</ButtonLink>} />
    </Page>
  )
}
