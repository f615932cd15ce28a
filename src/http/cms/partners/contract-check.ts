import { isObject } from '../../../domain/json.ts'
import { type Check, free, listOf } from '../../../estate/check.ts'
import { Type } from '../../schema.ts'
import { tryContract } from '../../threads/contract-trial.ts'
import type { CmsContext, OperatorEndpoint } from '../endpoint.ts'
import { members } from '../fields.ts'
import { flag, nullableText, text } from '../schema-parts.ts'

const samplesAtMost = 50

export const postContractCheck: OperatorEndpoint = {
  tag: 'Partners',
  role: 'viewer',
  method: 'POST',
  path: '/cms/v1/contract/check',
  operationId: 'checkContract',
  summary: 'Try a contract on sample subscriptions',
  description: `By the code that checks what partners send, of each sample the first fault. At most ${samplesAtMost} samples; what takes longer than two seconds is given up. A pattern that is far too slow on some text makes it unusable. Nothing is kept.`,
  body: {
    schema: Type.Object({
      contract: {
        type: ['object', 'boolean'],
        description: 'A JSON Schema (2020-12).',
      },
      samples: Type.Array(Type.Object({}, { additionalProperties: true }), {
        maxItems: samplesAtMost,
        description: 'Subscriptions as the partner would send them.',
      }),
    }),
    example: { contract: { required: ['label'] }, samples: [{ code: 'tv', label: 'TV' }, { code: 'tv' }] },
  },
  response: {
    description: 'Whether the contract can be used, and what it says of each sample.',
    schema: Type.Object({
      valid: flag('Whether the contract can be used.'),
      error: nullableText('Why it cannot.'),
      results: Type.Array(
        Type.Object({
          ok: flag('Whether the sample satisfies it.'),
          errors: Type.Array(Type.Object({ pointer: text('Where.'), detail: text('What.') })),
        }),
        { description: 'One for each sample, in their order; empty when the contract cannot be used.' },
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
  const samples = listOf(free(limits.jsonDepth), samplesAtMost)
  return members<{ contract: object | boolean; samples: unknown[] }>({ contract: schema, samples }, [
    'contract',
    'samples',
  ])
}
