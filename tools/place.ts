// npm run check:place: lints everything in deploy/, with Debian's linters too, and estimates the size of the image.
import { join } from 'node:path'
import { checkChart } from './place/chart/render.ts'
import { deploy, manifestFiles, queries, root, textOf, yamlOf } from './place/files.ts'
import { lintCompose, lintDockerfile, lintManifest } from './place/lint.ts'
import { checkAlerts, checkBalancer, checkUnits } from './place/programs.ts'
import { selectorsIn } from './place/promql.ts'
import { layers } from './place/size.ts'
import { allowsGracefulStop, stopTimes } from './place/stop-times.ts'
import { tell } from './tell.ts'

const maxImageMb = 120

const manifests = manifestFiles().map((name) => lintManifest(yamlOf(`deploy/kubernetes/${name}`)))
const impatient = stopTimes().filter((time) => !allowsGracefulStop(time))
const faults = [
  tell('Dockerfile (dockerfile-utils)', lintDockerfile(textOf('deploy/Dockerfile'))),
  tell('compose.yaml (dclint)', lintCompose(join(deploy, 'compose.yaml'))),
  tell('kubernetes (its API schemas)', (await Promise.all(manifests)).flat()),
  tell('helm (rendered with the libraries of its engine)', await checkChart(root)),
  tell('queries (the grammar of PromQL)', queries().flatMap(unreadable)),
  tell(
    'stop times',
    impatient.map(({ place }) => `${place} kills a node that is still stopping`),
  ),
  tell('systemd units (systemd-analyze)', checkUnits()),
  tell('haproxy.cfg (haproxy)', checkBalancer()),
  tell('alerts.yaml (promtool)', checkAlerts()),
  tell('image', imageFaults()),
].flat()
process.exitCode = faults.length > 0 ? 1 : 0

function unreadable({ of, expr }: { of: string; expr: string }): string[] {
  try {
    selectorsIn(expr)
    return []
  } catch (error) {
    return [`${of}: ${(error as Error).message}`]
  }
}

/** Estimates the image without building it: the base is an assumption, the other layers are packed here. */
function imageFaults(): string[] {
  const all = layers()
  for (const { title, unpackedMb, packedMb } of all) {
    console.log(`  ${title}: ${packedMb.toFixed(1)} MB packed, ${unpackedMb.toFixed(1)} MB unpacked`)
  }
  const packedMb = all.reduce((sum, layer) => sum + layer.packedMb, 0)
  console.log(`  together: ${packedMb.toFixed(1)} MB packed`)
  return packedMb <= maxImageMb ? [] : [`${packedMb.toFixed(1)} MB packed, more than ${maxImageMb}`]
}
