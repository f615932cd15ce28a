import { partnerEndpoints } from '../partner/routes.ts'
import { components } from '../partner/schemas.ts'
import { eventWebhooks, webhookHeaders } from './event-webhooks.ts'
import { guide } from './guide.ts'
import { headerComponents } from './headers.ts'
import { schemaComponents } from './json-schema.ts'
import { operationOf } from './operation.ts'
import { parameterComponents } from './parameters.ts'
import { pathsOf, shareResponses } from './paths.ts'
import { problemExamples } from './problem-examples.ts'
import { problemSchema, requiredGrant } from './problem-schema.ts'
import { inResultsOnly, partnerCodes } from './refusals.ts'
import { servicePaths } from './service-routes.ts'

export function openApiDocument(): object {
  // Keeps the paths as the specification spells them, since gateways and contract tests compare them literally.
  const { paths, responses } = shareResponses({ ...pathsOf(partnerEndpoints, operationOf), ...servicePaths() })
  return {
    openapi: '3.1.1',
    info: {
      title: 'Atrium partner API',
      version: '1.0.0',
      summary: 'Facilities, rooms and per-room services',
      description: guide,
      contact: { name: 'The operator of this installation' },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/', description: 'This installation' }],
    security: [{ partnerToken: [] }],
    tags,
    paths,
    webhooks: eventWebhooks(),
    components: {
      securitySchemes: { partnerToken },
      schemas: schemaComponents({ ...components, Problem: problemSchema(partnerCodes, requiredGrant) }),
      parameters: { ...parameterComponents(), ...webhookHeaders },
      headers: headerComponents('partner'),
      responses,
      examples: problemExamples(partnerCodes.filter((code) => !inResultsOnly.includes(code))),
    },
  }
}

const tags = [
  { name: 'Facilities', description: 'The facilities that the token can see, and the properties it may change.' },
  {
    name: 'Areas',
    description: 'The rooms, zones and spaces of a facility, and the list of rooms that installation tools offer.',
  },
  {
    name: 'Room services',
    description:
      "Opening and closing rooms, and the subscriptions of a room's current guest. The subscriptions need an installation that manages services per room, such as a hospital.",
  },
  { name: 'Events', description: 'What changed, in order.' },
  {
    name: 'Webhooks',
    description: 'Addresses to which events are sent: signed by Standard Webhooks, in order, at least once.',
  },
  {
    name: 'Sandbox',
    description:
      'A copy of some facilities for tests. Tokens that begin with `atr_test_` reach it, through all other routes too.',
  },
  {
    name: 'Token',
    description: 'The permissions of the token, and the requests that were sent with the tokens of the partner.',
  },
  { name: 'Service', description: 'Health, metrics and documentation. No token is needed.' },
]

const partnerToken = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'atr_<8 characters>_<43 random characters><6 characters of checksum>',
  description: 'A partner token, created by the operator of the installation.',
}
