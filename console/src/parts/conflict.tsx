import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useRead } from '../api/hooks.ts'
import { defineWords } from '../app/define-words.ts'
import { useWords } from '../app/language.tsx'
import { type AuditEntry, changesOf } from '../changes/audit-entry.ts'
import { ChangeLines } from '../changes/change-view.tsx'
import classes from './conflict.module.css'
import type { FieldLabels } from './problem.tsx'
import { Ago } from './time.tsx'
import type { Saving } from './use-save.ts'
import { common } from './words.ts'

const conflictWords = defineWords(
  {
    title: 'Changed in the meantime',
    help: 'Someone else has changed the same. Choose which change to keep; your other changes are not affected.',
    by: (name: string) => `Saved by ${name}`,
    theirs: 'Their change',
    mine: 'Your change',
    keepMine: 'Overwrite with mine',
    takeTheirs: 'Keep their version',
  },
  {
    title: 'Modifié entre-temps',
    help: 'Quelqu’un d’autre a modifié la même chose. Choisissez la modification à conserver ; vos autres modifications ne sont pas touchées.',
    by: (name: string) => `Enregistré par ${name}`,
    theirs: 'Sa modification',
    mine: 'Votre modification',
    keepMine: 'Remplacer par la mienne',
    takeTheirs: 'Conserver l’autre version',
  },
)

interface Props<S> {
  saving: Saving<S>
  labels: FieldLabels
  /** Called before the other version is overwritten; default: proceeds at once. */
  onOverwrite?: ((theirs: S, proceed: () => void) => void) | undefined
}

/** Shows what this operator and another caller have changed in the same property, and lets this one choose. */
export function ConflictDialog<S>({ saving, labels, onOverwrite }: Props<S>) {
  const words = useWords(conflictWords)
  const { close } = useWords(common)
  const { conflict } = saving
  const theirs = (conflict?.theirs.data ?? {}) as Record<string, unknown>
  const overwrite = () => {
    if (conflict && onOverwrite) onOverwrite(conflict.theirs.data, saving.overwrite)
    else saving.overwrite()
  }
  return (
    <Modal
      opened={conflict !== undefined}
      onClose={saving.closeConflict}
      title={words.title}
      size="xl"
      closeButtonProps={{ 'aria-label': close }}
    >
      {conflict && (
        <Stack gap="sm">
          <Author path={saving.path} names={conflict.names} />
          <Text size="sm">{words.help}</Text>
          {conflict.names.map((name) => {
            const before = conflict.before[name]
            return (
              <section key={name}>
                <Text fw={600} size="sm" mb={4}>
                  {labels[`/${name}`] ?? name}
                </Text>
                <div className={classes.versions}>
                  <Version title={words.theirs} name={name} before={before} after={theirs[name]} />
                  <Version title={words.mine} name={name} before={before} after={conflict.mine[name]} />
                </div>
              </section>
            )
          })}
        </Stack>
      )}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={saving.discardMine}>
          {words.takeTheirs}
        </Button>
        <Button onClick={overwrite}>{words.keepMine}</Button>
      </Group>
    </Modal>
  )
}

function Version({ title, name, before, after }: { title: string; name: string; before: unknown; after: unknown }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {title}
      </Text>
      <ChangeLines change={{ key: name, before, after }} />
    </div>
  )
}

/** Who saved the other version, and when. */
function Author({ path, names }: { path: string; names: string[] }) {
  const words = useWords(conflictWords)
  const { data } = useRead<AuditEntry[]>(historyOf(path))
  const entry = data?.data.find((one) => changesOf(one).some(({ key }) => names.some((name) => keyOf(name) === key)))
  if (entry === undefined) return null
  return (
    <Text size="sm">
      {words.by(entry.actor.name ?? '')} · <Ago at={entry.at} />
    </Text>
  )
}

/** The entries of a list are a property of its facility. */
const keyOf = (name: string) => (name === 'entries' ? 'areas_autocomplete_list' : name)

/** Returns the path of the audit entries about the object that is saved at a path. */
function historyOf(path: string): string {
  const [, kind = '', id = ''] = path.split('/')
  if (kind === 'facilities') return `/facilities/${id}/history?limit=200`
  return kind === 'partners' ? `/audit?partner=${id}&limit=200` : '/audit?action=setting.change&limit=20'
}
