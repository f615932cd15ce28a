import { ActionIcon, Button, Checkbox, Group, Text } from '@mantine/core'
import { grantFields, type RightKind, rightKinds } from '../../../../src/domain/access/grant-difference.ts'
import type { Grant } from '../../api/types.ts'
import { useWords } from '../../app/language.tsx'
import type { FieldErrors } from '../../parts/field-errors.ts'
import { Icon } from '../../parts/icons.tsx'
import { Empty } from '../../parts/page.tsx'
import { useFacilityNames } from '../../parts/use-facility-names.ts'
import { FacilityPicker } from './facility-picker.tsx'
import { includes, toggled } from './grant-fields.ts'
import classes from './grants-matrix.module.css'
import { matrixWords } from './matrix-words.ts'
import { rightWords } from './right-words.ts'

interface Props {
  grants: Grant[]
  onChange(grants: Grant[]): void
  errors: FieldErrors
  readOnly: boolean
}

/** Matrix of facilities and permissions; where it does not fit, each grant is a card. */
export function GrantsMatrix({ grants, onChange, errors, readOnly }: Props) {
  const words = useWords(matrixWords)
  const add = () => onChange([...grants, { facilities: [], read: [], write: [], rooms: [] }])
  return (
    <>
      {grants.length === 0 ? (
        <div className="panel">
          <Empty title={words.emptyTitle}>{words.empty}</Empty>
        </div>
      ) : (
        <div className={classes.whole}>
          <table className={classes.matrix}>
            <Head readOnly={readOnly} />
            <tbody>
              {grants.map((grant, at) => (
                <GrantRow
                  // biome-ignore lint/suspicious/noArrayIndexKey: a grant is known by its place
                  key={at}
                  grant={grant}
                  readOnly={readOnly}
                  error={errors.at(`/grants/${at}`)}
                  onChange={(next) => onChange(grants.with(at, next))}
                  onRemove={() => onChange(grants.toSpliced(at, 1))}
                />
              ))}
            </tbody>
          </table>
        </div>
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
  const rights = useWords(rightWords)
  return (
    <thead>
      <tr>
        <th rowSpan={2} scope="col" className={classes.facilities}>
          {words.facilities}
        </th>
        {rightKinds.map((kind) => (
          <th key={kind} colSpan={grantFields[kind].length + 1} scope="colgroup" className={classes.group}>
            {rights.kinds[kind]}
          </th>
        ))}
        {!readOnly && (
          <th rowSpan={2} scope="col">
            <span className="visually-hidden">{words.remove}</span>
          </th>
        )}
      </tr>
      <tr>
        {rightKinds.flatMap((kind) =>
          ['*', ...grantFields[kind]].map((field, at) => (
            <th
              key={`${kind}.${field}`}
              scope="col"
              title={field}
              className={`${classes.field} ${at === 0 ? classes.group : ''}`}
            >
              <span aria-hidden="true">{nameOf(rights, field)}</span>
              <i className="visually-hidden">{rights.one(rights.kinds[kind], nameOf(rights, field))}</i>
            </th>
          )),
        )}
      </tr>
    </thead>
  )
}

function nameOf({ fields, all }: { fields: Record<string, string>; all: string }, field: string): string {
  return field === '*' ? all : (fields[field] ?? field)
}

interface RowProps {
  grant: Grant
  error: string | undefined
  readOnly: boolean
  onChange(grant: Grant): void
  onRemove(): void
}

function GrantRow({ grant, error, readOnly, onChange, onRemove }: RowProps) {
  const words = useWords(matrixWords)
  const rights = useWords(rightWords)
  const all = (kind: RightKind) => onChange({ ...grant, [kind]: grant[kind] === '*' ? [] : '*' })
  return (
    <tr>
      <td className={classes.facilities}>
        {readOnly ? <FacilityNames grant={grant} /> : <Facilities grant={grant} error={error} onChange={onChange} />}
      </td>
      {rightKinds.flatMap((kind) =>
        ['*', ...grantFields[kind]].map((field, at) => {
          const name = nameOf(rights, field)
          return (
            <td
              key={`${kind}.${field}`}
              className={at === 0 ? classes.group : ''}
              data-kind={at === 0 ? rights.kinds[kind] : undefined}
            >
              <Mark
                label={rights.one(rights.kinds[kind], name)}
                name={name}
                checked={field === '*' ? grant[kind] === '*' : includes(grant[kind], field)}
                readOnly={readOnly}
                onChange={() => (field === '*' ? all(kind) : onChange(toggled(grant, kind, field)))}
              />
            </td>
          )
        }),
      )}
      {!readOnly && (
        <td className={classes.remove}>
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
  /** Label next to the checkbox, where the column has no heading. */
  name: string
  checked: boolean
  readOnly: boolean
  onChange(): void
}

function Mark({ label, name, checked, readOnly, onChange }: MarkProps) {
  const words = useWords(matrixWords)
  const beside = <span className={classes.name}>{name}</span>
  if (!readOnly)
    return (
      <Checkbox
        size="xs"
        className={classes.input}
        aria-label={label}
        label={beside}
        checked={checked}
        onChange={onChange}
      />
    )
  if (!checked) return null
  return (
    <>
      <span className={classes.mark}>
        <Icon name="check" size={14} />
        <span className="visually-hidden">{words.granted}</span>
      </span>{' '}
      {beside}
    </>
  )
}

function FacilityNames({ grant }: { grant: Grant }) {
  const words = useWords(matrixWords)
  const ids = grant.facilities === '*' ? [] : grant.facilities
  const nameOf = useFacilityNames(ids)
  if (grant.facilities === '*') return words.everywhere
  return ids.map((id) => (nameOf(id) ? `${nameOf(id)} · ${id}` : id)).join(', ')
}

interface FacilitiesProps {
  grant: Grant
  error: string | undefined
  onChange(grant: Grant): void
}

function Facilities({ grant, error, onChange }: FacilitiesProps) {
  const words = useWords(matrixWords)
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
        <FacilityPicker
          value={grant.facilities}
          error={error}
          onChange={(facilities) => onChange({ ...grant, facilities })}
        />
      )}
    </>
  )
}
