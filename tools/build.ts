// npm run build: builds the console, the viewer of the API reference, the downloads and the bundle of the service. With
// --if-stale only those whose sources have changed since they were built.
import { consoleBuild } from './console.ts'
import { downloadsBuild } from './downloads.ts'
import { programBuild } from './program.ts'
import { buildStale } from './stale.ts'
import { viewerBuild } from './viewer.ts'

const builds = [consoleBuild, viewerBuild, downloadsBuild, programBuild]

if (process.argv.includes('--if-stale')) await buildStale(...builds)
else for (const { run } of builds) await run()
