import { asBuffer } from '../../domain/bytes.ts'
import {
  assertCanDryRunList,
  assertCanReplaceList,
  dryRunList,
  loadCurrentList,
  readList,
  replaceWholeList,
} from '../../operations/autocomplete-list.ts'
import { Type } from '../schema.ts'
import type { Endpoint } from './endpoint.ts'
import * as examples from './examples.ts'

const path = '/v1/facilities/{facilityExternalId}/areas_autocomplete_list'
const schema = Type.Object({ areas_autocomplete_list: Type.Array(Type.Ref('AutocompleteEntry')) })

export const getAutocompleteList: Endpoint = {
  method: 'GET',
  path,
  operationId: 'getAutocompleteList',
  tag: 'Areas',
  summary: 'Get the autocomplete list',
  description: 'The rooms that installation tools offer, in the order in which they were sent, with full ids.',
  needs: { read: 'areas_autocomplete_list' },
  query: ['limit', 'cursor', 'q'],
  response: { description: 'The list.', schema, example: examples.list, etag: true },
  cached: 'list',
  refusals: [],
  handle: async (context) => {
    return context.pageResult(
      await readList(context.db, context.partner, context.params.facilityExternalId, context.query),
    )
  },
}

export const replaceAutocompleteList: Endpoint = {
  method: 'PATCH',
  path,
  operationId: 'replaceAutocompleteList',
  tag: 'Areas',
  summary: 'Replace the autocomplete list',
  description:
    'Replaces the whole list in one step and keeps the order of the entries. Send short ids, without the facility: the service always adds the prefix. An entry whose full id belongs to an area of another facility that the partner can see is refused with `400` `value_invalid`. With `dry_run=true` nothing is replaced, and the response lists what would be added, removed and renamed; this also needs the grant to read the list.',
  needs: { write: 'areas_autocomplete_list' },
  query: ['dry_run'],
  conditional: 'list',
  body: {
    schema: Type.Object({
      value: Type.Array(
        Type.Object({
          id_external: Type.String({ minLength: 1, maxLength: 64, description: 'Short id.' }),
          name: Type.String({ minLength: 1, maxLength: 255, description: 'Displayed name.' }),
        }),
      ),
    }),
    examples: {
      rooms: {
        value: [
          { id_external: '101', name: 'Chambre 101' },
          { id_external: '102', name: 'Chambre 102' },
        ],
      },
      empty: { value: [] },
    },
  },
  response: {
    description: 'The new list, or the result of the dry run.',
    schema: Type.Union([schema, Type.Ref('ListChanges')]),
    example: examples.list,
    etag: true,
  },
  refusals: ['value_invalid', 'value_not_array', 'item_not_object', 'item_invalid', 'limit_exceeded'],
  handle: async (context) => {
    const change = { facility: context.params.facilityExternalId, precondition: context.precondition }
    await assertCanReplaceList(context.db, context.partner, change)
    const { dry_run: isRehearsal } = context.query()
    if (isRehearsal) await assertCanDryRunList(context.db, context.partner, change)
    const rules = {
      facility: change.facility,
      entries: context.limits.listEntries,
      jsonDepth: context.limits.jsonDepth,
    }
    const present = () => loadCurrentList(context.db, context.partner, change)
    const list = await context.bodyParser.draftList(context.partner.id, await context.body(), rules, present)
    if (isRehearsal) return { body: JSON.stringify(await dryRunList(context.db, context.partner, change, list)) }
    const { body, etag } = await replaceWholeList(context.db, context.caller, change, list)
    return { body: asBuffer(body), etag }
  },
}
