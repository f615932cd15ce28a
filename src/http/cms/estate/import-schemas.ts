import { Type } from '../../schema.ts'
import { count, flag, text } from '../../schema-parts.ts'

const tally = (what: string) =>
  Type.Object(
    {
      created: count('New.'),
      updated: count('Changed.'),
      removed: count('Removed.'),
      unchanged: count('Unchanged.'),
    },
    { description: `How many ${what}.` },
  )

export const importSchema = Type.Object({
  dry_run: flag('Whether this was a dry run.'),
  facilities: tally('facilities'),
  areas: tally('areas'),
  partners: tally('partners'),
  differences_count: count('Number of differences.'),
  differences: Type.Array(
    Type.Object({
      action: text('`create`, `update` or `remove`.'),
      kind: text('`facility`, `area` or `partner`.'),
      id: text('External id; of an area, the full id.'),
      changes: Type.Array(Type.Object({}, { additionalProperties: true }), {
        description:
          'The changed properties as in the audit log: `key`, `before` and `after`, or `list` with the differences. Only `key` if the values have more than 16,384 characters, except for `grants`.',
      }),
      lost: Type.Array(Type.String(), { description: 'What is removed together with the object.' }),
    }),
    { description: 'The first 1,000 differences, those of partners before all others.' },
  ),
})

const nothing = { created: 0, updated: 0, removed: 0, unchanged: 0 }

export const importExample = {
  dry_run: true,
  facilities: { ...nothing, updated: 1 },
  areas: nothing,
  partners: nothing,
  differences_count: 1,
  differences: [
    {
      action: 'update',
      kind: 'facility',
      id: 'lyon-01',
      changes: [{ key: 'name', before: 'Hôtel Lyon', after: 'Hôtel Bellecour' }],
      lost: [],
    },
  ],
}
