import { parentPort, workerData } from 'node:worker_threads'
import { cmsDocument } from '../openapi/cms-document.ts'
import { openApiDocument } from '../openapi/document.ts'
import type { Api } from './apis.ts'
import type { Document } from './reference/document.ts'
import { referencePage } from './reference/page.ts'

const { api, form } = workerData as { api: Api; form: 'json' | 'page' }
const document = api === 'cms' ? cmsDocument() : openApiDocument()
parentPort?.postMessage(form === 'json' ? JSON.stringify(document) : referencePage(api, document as Document))
