import { type SettingName, type Settings, settingFault, settingNames, settings } from '../../domain/setting.ts'
import type { Check } from '../../estate/check.ts'
import { aboutDatabase } from '../../operations/cms/about.ts'
import { changeSettings, findSettings } from '../../operations/cms/setting.ts'
import { atriumVersion } from '../../version.ts'
import { Type } from '../schema.ts'
import { dateTime, text } from '../schema-parts.ts'
import type { OperatorEndpoint } from './endpoint.ts'
import { members } from './fields.ts'

const common = { tag: 'Settings' as const, refusals: [] }
const defaults = Object.fromEntries(settingNames.map((name) => [name, settings[name].default]))
const one = { description: 'The settings.', schema: Type.Ref('Settings'), example: defaults }

const fields = Object.fromEntries(
  settingNames.map((name) => {
    const { about, default: value, min, max } = settings[name]
    return [name, Type.Integer({ minimum: min, maximum: max, default: value, description: about })]
  }),
)

const whole =
  (name: SettingName): Check<number> =>
  (value, path, report) => {
    const fault = settingFault(name, value)
    if (fault !== undefined) report(path, fault)
    return value as number
  }

const change = members(
  Object.fromEntries(settingNames.map((name) => [name, whole(name)])) as Record<SettingName, Check<number>>,
)

const inOrder = (current: Settings) => Object.fromEntries(settingNames.map((name) => [name, current[name]]))

export const getSettings: OperatorEndpoint = {
  ...common,
  role: 'admin',
  method: 'GET',
  path: '/cms/v1/settings',
  operationId: 'getSettings',
  summary: 'Get the settings',
  description: 'The settings that can be changed while the service runs.',
  response: one,
  handle: async ({ db }) => ({ body: inOrder(await findSettings(db)) }),
}

export const patchSettings: OperatorEndpoint = {
  ...common,
  role: 'admin',
  method: 'PATCH',
  path: '/cms/v1/settings',
  operationId: 'changeSettings',
  summary: 'Change settings',
  description: 'Settings that are left out stay. Every node applies changes within seconds.',
  conditional: true,
  body: { schema: Type.Partial(Type.Object(fields)), example: { request_log_days: 14 } },
  response: one,
  handle: async ({ db, actor, read, expects }) => ({
    body: inOrder(await changeSettings(db, actor, await read(change), expects(inOrder))),
  }),
}

export const getAbout: OperatorEndpoint = {
  ...common,
  role: 'viewer',
  method: 'GET',
  path: '/cms/v1/about',
  operationId: 'getAbout',
  summary: 'Get versions and database',
  description: 'The node that responds, and its database.',
  response: {
    description: 'Versions and database.',
    schema: Type.Ref('About'),
    example: {
      version: '0.1.0',
      node: '24.21.0',
      started_at: '2026-11-15T08:30:00.000Z',
      engine: 'an embedded database',
      migrations: ['0001-estate', '0002-journal'],
    },
  },
  handle: async ({ db, monitoring }) => ({
    body: {
      version: atriumVersion(),
      node: process.versions.node,
      started_at: monitoring.startedAt,
      ...(await aboutDatabase(db)),
    },
  }),
}

const About = Type.Object(
  {
    version: text('The version of Atrium.'),
    node: text('The version of Node.js.'),
    started_at: dateTime('When this node started.'),
    engine: text('The kind of database.'),
    migrations: Type.Array(Type.String(), { description: 'Applied migrations of the database.' }),
  },
  { $id: 'About', description: 'Versions and database.' },
)

export const settingSchemas = {
  Settings: Type.Object(fields, {
    $id: 'Settings',
    description: 'Settings that can be changed while the service runs.',
  }),
  About,
}
