import { parentPort, workerData } from 'node:worker_threads'
import { cmsDocument } from '../openapi/cms-document.ts'
import { openApiDocument } from '../openapi/document.ts'

parentPort?.postMessage(JSON.stringify(workerData === 'cms' ? cmsDocument() : openApiDocument()))
