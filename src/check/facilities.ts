import { type Examiner, expect, expectArray, expectObject, preview, skip } from './examiner.ts'

interface FoundFacility {
  id: string
  fields: Record<string, unknown>
}

/**
 * Checks section 5 (authentication) and 4.1 (the list of facilities) of the specification. Returns the ids that the
 * token can see; if `wanted` is set, only that one.
 */
export async function checkFacilities(examiner: Examiner, wanted: string | undefined): Promise<string[]> {
  const list = '/v1/facilities/'
  for (const [what, token] of [
    ['no token', null],
    ['a token that is none', 'not-a-token'],
  ] as const) {
    await examiner.rule('5', `A request with ${what} is refused`, async () => {
      const { status } = await examiner.request('GET', list, { token })
      expect(status >= 400 && status < 500, `the response to GET ${list} has status ${status}`)
    })
  }
  const listed = await examiner.rule('4.1', 'The list of facilities is an array', async () =>
    expectArray((await examiner.requestOk('GET', list)).json, 'the response'),
  )
  const summaries = await examiner.rule(
    '4.1',
    'Each summary has a numeric id, id_external, name and status',
    async () => {
      if (listed === undefined) skip('there is no list')
      return listed.map(summary)
    },
  )
  const ids = (summaries ?? []).map(({ id }) => id)
  await examiner.rule('5', 'The token sees a facility', async () => {
    if (summaries === undefined) skip('there is no list')
    expect(ids.length > 0, 'the list is empty: give the partner a grant, or use another token')
    expect(wanted === undefined || ids.includes(wanted), `${wanted} is not among ${preview(ids)}`)
  })
  return wanted === undefined ? ids : ids.filter((id) => id === wanted)
}

function summary(value: unknown, index: number): FoundFacility {
  const fields = expectObject(value, `item ${index}`)
  expect(typeof fields.id === 'number', `id of item ${index} is ${preview(fields.id)}, not a number`)
  for (const name of ['id_external', 'name', 'status']) {
    expect(typeof fields[name] === 'string', `${name} of item ${index} is ${preview(fields[name])}, not a string`)
  }
  return { id: fields.id_external as string, fields }
}

/** Checks section 4.2 of the specification: a facility by itself. */
export async function checkFacility(examiner: Examiner, id: string): Promise<FoundFacility | undefined> {
  return examiner.rule('4.2', `The facility ${id} is an object with its id_external`, async () => {
    const { json } = await examiner.requestOk('GET', facilityPath(id))
    const fields = expectObject(json, 'the response')
    expect(fields.id_external === id, `id_external is ${preview(fields.id_external)}`)
    return { id, fields }
  })
}

const properties = ['name', 'ssid_public', 'subscription_url'] as const

/** Checks sections 4.6 (properties) and 7 (errors). Writes each property with the value it has. */
export async function checkProperties(examiner: Examiner, { id, fields }: FoundFacility): Promise<void> {
  for (const property of properties) {
    await examiner.rule('4.6', `PATCH ${property} takes {"value"} and returns the property`, async () => {
      const value = fields[property]
      if (typeof value !== 'string') skip(`${property} cannot be read, so it could not be put back`)
      const { json } = await examiner.requestOk('PATCH', facilityPath(id) + property, { body: { value } })
      const returned = expectObject(json, 'the response')[property]
      expect(returned === value, `the response has ${property} ${preview(returned)} in place of ${preview(value)}`)
      const after = expectObject((await examiner.requestOk('GET', facilityPath(id))).json, 'the facility')[property]
      expect(after === value, `afterwards ${property} is ${preview(after)} in place of ${preview(value)}`)
      examiner.changes.push(`${property} of ${id} was written with the value it had`)
    })
  }
  await examiner.rule('7', 'PATCH name without "value" is refused, and changes nothing', async () => {
    const { status } = await examiner.request('PATCH', `${facilityPath(id)}name`, { body: { name: 'x' } })
    if (status === 403) skip('changing the name is not granted to this token (403)')
    expect(status >= 400 && status < 500, `the response has status ${status}`)
    const after = expectObject((await examiner.requestOk('GET', facilityPath(id))).json, 'the facility').name
    expect(after === fields.name, `afterwards the name is ${preview(after)} in place of ${preview(fields.name)}`)
  })
}

export function facilityPath(id: string): string {
  return `/v1/facilities/${encodeURIComponent(id)}/`
}
