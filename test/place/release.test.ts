import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { root } from '../../tools/place/files.ts'
import { packDeployment } from '../../tools/release/deployment.ts'
import { commonFields, readProject } from '../../tools/release/names.ts'

const project = readProject(root)

// `npm run release` also installs the packages and uses them.
describe('a release', () => {
  test('has the deployment files', () => {
    const target = mkdtempSync(join(tmpdir(), 'atrium-'))
    assert.match(packDeployment(project, target), /atrium-deploy-.+\.tar\.gz$/)
  })

  test('is not what npm packs in the clone', () => {
    const { status, stderr } = spawnSync('npm', ['pack', '--dry-run'], { cwd: root, encoding: 'utf8' })
    assert.equal(status, 1)
    assert.match(stderr, /npm run release/)
  })

  test('and the clone name the same repository', () => {
    const { repository } = commonFields(project) as { repository: object }
    assert.deepEqual(project.manifest.repository, repository)
  })
})
