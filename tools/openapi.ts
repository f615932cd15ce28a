// npm run openapi: writes the OpenAPI documents in docs/ from the routes.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cmsDocument } from '../src/http/openapi/cms-document.ts'
import { openApiDocument } from '../src/http/openapi/document.ts'

const documents = { 'openapi.json': openApiDocument(), 'cms-openapi.json': cmsDocument() }

for (const [name, document] of Object.entries(documents)) {
  writeFileSync(join(import.meta.dirname, '../docs', name), `${JSON.stringify(document, null, 2)}\n`)
}
