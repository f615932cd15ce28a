import { ActionIcon, Button, Checkbox, Group, TagsInput, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { pathWith } from '../../api/client.ts'
import { useRead } from '../../api/hooks.ts'
import type { Facility, Grant } from '../../api/types.ts'
import { defineWords, useWords } from '../../app/language.tsx'
import { Icon } from '../../parts/icons.tsx'
import { Empty } from '../../parts/page.tsx'
import { grantFields, includes, type Plane, planes, toggled } from './grant-fields.ts'
import classes from './grants-matrix.module.css'

const matrixWords = defineWords(
  {
    facilities: 'Facilities',
    all: 'all',
    everywhere: 'All facilities, those to come included',
    planes: { read: 'Read', write: 'Write', rooms: 'Rooms' },
    add: 'Add grant',
    remove: 'Remove this grant',
    emptyTitle: 'No grants: this partner sees nothing',
    empty: 'A grant says for which facilities the partner may read, write and act on rooms.',
    pick: 'Identifier',
    hint: 'Several grants on one facility add up.',
    granted: 'granted',
  },
  {
    facilities: 'Établissements',
    all: 'tout',
    everywhere: 'Tous les établissements, futurs compris',
    planes: { read: 'Lecture', write: 'Écriture', rooms: 'Chambres' },
    add: 'Ajouter un droit',
    remove: 'Supprimer ce droit',
    emptyTitle: 'Aucun droit : ce partenaire ne voit rien',
    empty: 'Un droit dit pour quels établissements le partenaire peut lire, écrire et agir sur les chambres.',
    pick: 'Identifiant',
    hint: 'Plusieurs droits sur un établissement s’additionnent.',
    granted: 'accordé',
  },
)

interface Props {
  grants: Grant[]
  onChange(grants: Grant[]): void
  readOnly: boolean
}

/** Facilities by rights: what a partner may do, at a glance. */
export function GrantsMatrix({ grants, onChange, readOnly }: Props) {
  const words = useWords(matrixWords)
  const add = () => onChange([...grants, { facilities: [], read: [], write: [], rooms: [] }])
  return (
    <>
      {grants.length === 0 ? (
        <div className="panel">
          <Empty title={words.emptyTitle}>{words.empty}</Empty>
        </div>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
        <section className={classes.scroll} aria-label={words.facilities} tabIndex={0}>
          <table className={classes.matrix}>
            <Head readOnly={readOnly} />
            <tbody>
              {grants.map((grant, at) => (
                <GrantRow
                  // biome-ignore lint/suspicious/noArrayIndexKey: a grant is known by its place
                  key={at}
                  grant={grant}
                  readOnly={readOnly}
                  onChange={(next) => onChange(grants.with(at, next))}
                  onRemove={() => onChange(grants.toSpliced(at, 1))}
                />
              ))}
            </tbody>
          </table>
        </section>
      )}
      <Group mt="sm">
        {!readOnly && (
          <Button variant="default" leftSection={<Icon name="add" size={16} />} onClick={add}>
            {words.add}
          </Button>
        )}
        <Text size="sm" c="dimmed">
          {words.hint}
        </Text>
      </Group>
    </>
  )
}

function Head({ readOnly }: { readOnly: boolean }) {
  const words = useWords(matrixWords)
  return (
    <thead>
      <tr>
        <th rowSpan={2} scope="col" className={classes.facilities}>
          {words.facilities}
        </th>
        {planes.map((plane) => (
          <th key={plane} colSpan={grantFields[plane].length + 1} scope="colgroup" className={classes.group}>
            {words.planes[plane]}
          </th>
        ))}
        {!readOnly && (
          <th rowSpan={2} scope="col">
            <span className="visually-hidden">{words.remove}</span>
          </th>
        )}
      </tr>
      <tr>
        {planes.flatMap((plane) =>
          [words.all, ...grantFields[plane]].map((field, at) => (
            <th key={`${plane}.${field}`} scope="col" className={`${classes.field} ${at === 0 ? classes.group : ''}`}>
              <span aria-hidden="true">{field}</span>
              <i className="visually-hidden">{`${words.planes[plane]}: ${field}`}</i>
            </th>
          )),
        )}
      </tr>
    </thead>
  )
}

interface RowProps {
  grant: Grant
  readOnly: boolean
  onChange(grant: Grant): void
  onRemove(): void
}

function GrantRow({ grant, readOnly, onChange, onRemove }: RowProps) {
  const words = useWords(matrixWords)
  const all = (plane: Plane) => onChange({ ...grant, [plane]: grant[plane] === '*' ? [] : '*' })
  return (
    <tr>
      <td className={classes.facilities}>
        {readOnly ? <FacilityNames grant={grant} /> : <FacilityPicker grant={grant} onChange={onChange} />}
      </td>
      {planes.flatMap((plane) => [
        <td key={`${plane}.all`} className={classes.group}>
          <Mark
            label={`${words.planes[plane]}: ${words.all}`}
            checked={grant[plane] === '*'}
            readOnly={readOnly}
            onChange={() => all(plane)}
          />
        </td>,
        ...grantFields[plane].map((field) => (
          <td key={`${plane}.${field}`}>
            <Mark
              label={`${words.planes[plane]}: ${field}`}
              checked={includes(grant[plane], field)}
              readOnly={readOnly}
              onChange={() => onChange(toggled(grant, plane, field))}
            />
          </td>
        )),
      ])}
      {!readOnly && (
        <td>
          <ActionIcon variant="subtle" color="gray" aria-label={words.remove} onClick={onRemove}>
            <Icon name="trash" size={16} />
          </ActionIcon>
        </td>
      )}
    </tr>
  )
}

interface MarkProps {
  label: string
  checked: boolean
  readOnly: boolean
  onChange(): void
}

export function Mark({ label, checked, readOnly, onChange }: MarkProps) {
  const words = useWords(matrixWords)
  if (!readOnly)
    return <Checkbox size="xs" className={classes.input} aria-label={label} checked={checked} onChange={onChange} />
  if (!checked) return null
  return (
    <span className={classes.mark}>
      <Icon name="check" size={14} />
      <span className="visually-hidden">{words.granted}</span>
    </span>
  )
}

function FacilityNames({ grant }: { grant: Grant }) {
  const words = useWords(matrixWords)
  return <>{grant.facilities === '*' ? words.everywhere : grant.facilities.join(', ')}</>
}

function FacilityPicker({ grant, onChange }: { grant: Grant; onChange(grant: Grant): void }) {
  const words = useWords(matrixWords)
  const [text, setText] = useState('')
  const [asked] = useDebouncedValue(text.trim(), 150)
  const found = useRead<Facility[]>(pathWith('/facilities', { q: asked, limit: 20 }), { keep: true })
  const isEverywhere = grant.facilities === '*'
  return (
    <>
      <Checkbox
        size="xs"
        mb={6}
        label={words.everywhere}
        checked={isEverywhere}
        onChange={() => onChange({ ...grant, facilities: isEverywhere ? [] : '*' })}
      />
      {grant.facilities !== '*' && (
        <TagsInput
          size="xs"
          aria-label={words.facilities}
          placeholder={words.pick}
          data={found.data?.data.map(({ id_external: id }) => id) ?? []}
          value={grant.facilities}
          searchValue={text}
          onSearchChange={setText}
          onChange={(facilities) => onChange({ ...grant, facilities })}
        />
      )}
    </>
  )
}
