import { Button, Group, Modal, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useWords } from '../app/language.tsx'
import { ProblemNote } from './problem.tsx'
import classes from './save-bar.module.css'
import { type Draft, same } from './use-draft.ts'
import type { Saving } from './use-save.ts'
import { common } from './words.ts'

interface Props<T, S> {
  draft: Draft<T & object>
  saving: Saving<S>
  onSave(): void
}

/** There while something is unsaved, and in the way of leaving without saying so. */
export function SaveBar<T, S>({ draft, saving, onSave }: Props<T, S>) {
  const words = useWords(common)
  return (
    <>
      {saving.error !== undefined && saving.error !== null && <ProblemNote error={saving.error} />}
      {draft.isDirty && (
        <div className={classes.bar}>
          {draft.isOld && (
            <Text size="sm" c="dimmed" mr="auto">
              {words.draftFound}
            </Text>
          )}
          <Button variant="default" onClick={draft.discard}>
            {words.discard}
          </Button>
          <Button onClick={onSave} loading={saving.isPending}>
            {words.save}
          </Button>
        </div>
      )}
      <LeaveGuard isDirty={draft.isDirty} onLeave={draft.discard} />
      <Conflict saving={saving} />
    </>
  )
}

function LeaveGuard({ isDirty, onLeave }: { isDirty: boolean; onLeave(): void }) {
  const words = useWords(common)
  const { status, proceed, reset } = useBlocker({
    // Other tabs of the same page leave the draft where it is.
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  })
  const leave = () => {
    onLeave()
    proceed?.()
  }
  return (
    <Modal
      opened={status === 'blocked'}
      onClose={() => reset?.()}
      title={words.unsavedTitle}
      closeButtonProps={{ 'aria-label': words.stay }}
    >
      <Text size="sm">{words.unsaved}</Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={leave}>
          {words.leave}
        </Button>
        <Button onClick={() => reset?.()} data-autofocus>
          {words.stay}
        </Button>
      </Group>
    </Modal>
  )
}

function Conflict<S>({ saving }: { saving: Saving<S> }) {
  const words = useWords(common)
  const { conflict } = saving
  const theirs = (conflict?.theirs.data ?? {}) as Record<string, unknown>
  const differing = Object.entries(conflict?.mine ?? {}).filter(([name, value]) => !same(value, theirs[name]))
  return (
    <Modal
      opened={conflict !== undefined}
      onClose={saving.decideLater}
      title={words.conflictTitle}
      size="xl"
      closeButtonProps={{ 'aria-label': words.close }}
    >
      <Text size="sm" mb="sm">
        {words.conflict}
      </Text>
      <table className={classes.versions}>
        <thead>
          <tr>
            <th scope="col">{words.property}</th>
            <th scope="col">{words.theirs}</th>
            <th scope="col">{words.mine}</th>
          </tr>
        </thead>
        <tbody>
          {differing.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{shown(theirs[name])}</td>
              <td>{shown(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={saving.giveUp}>
          {words.takeTheirs}
        </Button>
        <Button onClick={saving.overwrite}>{words.keepMine}</Button>
      </Group>
    </Modal>
  )
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
