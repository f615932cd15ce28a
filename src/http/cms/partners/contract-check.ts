import { isObject } from '../../../domain/json.ts'
import { type Check, jsonData, listOf } from '../../../estate/check.ts'
import { Type } from '../../schema.ts'
import { flag, nullableText, text } from '../../schema-parts.ts'
import { tryContract } from '../../threads/contract-trial.ts'
import type { CmsContext, OperatorEndpoint } from '../endpoint.ts'
import { members } from '../fields.ts'

const maxSamples = 50

export const postContractCheck: OperatorEndpoint = {
  tag: 'Partners',
  role: 'viewer',
  method: 'POST',
  path: '/cms/v1/contract/check',
  operationId: 'checkContract',
  summary: 'Try a contract on sample subscriptions',
  description: `Uses the code that checks the requests of partners, and reports the first fault of each sample. At most ${maxSamples} samples; the check stops after two seconds. A contract whose pattern is far too slow on some text is refused. Nothing is stored.`,
  body: {
    schema: Type.Object({
      contract: {
        type: ['object', 'boolean'],
        description: 'A JSON Schema (2020-12).',
      },
      samples: Type.Array(Type.Object({}, { additionalProperties: true }), {
        maxItems: maxSamples,
        description: 'Subscriptions as the partner would send them.',
      }),
    }),
    example: { contract: { required: ['label'] }, samples: [{ code: 'tv', label: 'TV' }, { code: 'tv' }] },
  },
  response: {
    description: 'Whether the contract is valid, and the result for each sample.',
    schema: Type.Object({
      valid: flag('Whether the contract is valid.'),
      error: nullableText('Why it is not valid.'),
      results: Type.Array(
        Type.Object({
          ok: flag('Whether the sample satisfies it.'),
          errors: Type.Array(Type.Object({ pointer: text('JSON pointer.'), detail: text('The fault.') })),
        }),
        { description: 'One result per sample, in order; empty when the contract is not valid.' },
      ),
    }),
    example: {
      valid: true,
      error: null,
      results: [
        { ok: true, errors: [] },
        {
          ok: false,
          errors: [{ pointer: '', detail: "The partner's contract: must have required property 'label'" }],
        },
      ],
    },
  },
  refusals: [],
  handle: async (context) => {
    const { contract, samples } = await context.read(trial(context))
    const { error, faults } = await tryContract({ contract: JSON.stringify(contract), samples })
    const results = faults.map((errors) => ({ ok: errors.length === 0, errors }))
    return { body: { valid: error === null, error, results } }
  },
}

const schema: Check<object | boolean> = (value, where, report) => {
  if (!isObject(value) && typeof value !== 'boolean') report(where, 'must be a JSON Schema: an object, true or false')
  return value as object | boolean
}

function trial({ config: { limits } }: CmsContext) {
  const samples = listOf(jsonData(limits.jsonDepth), maxSamples)
  return members({ contract: schema, samples }, ['contract', 'samples'])
}
