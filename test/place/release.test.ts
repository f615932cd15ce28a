import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { root, textOf } from '../../tools/place/files.ts'
import { packDeployment } from '../../tools/release/deployment.ts'
import { commonFields, readProject } from '../../tools/release/names.ts'
import { releaseNotes } from '../../tools/release/notes.ts'

const project = readProject(root)

// `npm run release` also installs the packages and uses them.
describe('a release', () => {
  test('has the deployment files, which name its own places and not those of a clone', () => {
    const target = mkdtempSync(join(tmpdir(), 'atrium-'))
    execFileSync('tar', ['-xzf', packDeployment(project, target)], { cwd: target })
    const folder = join(target, `atrium-deploy-${project.version}`)
    const text = (file: string) => readFileSync(join(folder, file), 'utf8')
    const files = globSync('**/*.*', { cwd: folder })
    assert.deepEqual(
      files.filter((file) => /\bdeploy\/|(?<!\/)docs\/guides\/\w/.test(text(file))),
      [],
    )
    const [, program = ''] =
      /^ExecStart=\/usr\/bin\/node \/opt\/atrium\/current\/(\S+) serve$/m.exec(text('atrium.service')) ?? []
    assert.equal(program, `node_modules/${project.names.server}/bin/atrium.mjs`)
    assert.ok(text('README.md').includes(`VERSION=${project.version}\n`))
    assert.ok(text('README.md').includes('sudo npm install --prefix /opt/atrium/$VERSION ./npm/atrium-$VERSION.tgz\n'))
    assert.doesNotMatch(text('README.md'), /\]\((?!\/docs\/guides\/\w)/)
  })

  test('is not what npm packs in the clone', () => {
    const { status, stderr } = spawnSync('npm', ['pack', '--dry-run'], { cwd: root, encoding: 'utf8' })
    assert.equal(status, 1)
    assert.match(stderr, /npm run release/)
  })

  test('has the notes of its version, or what is unreleased', () => {
    const changelog = '# Changelog\n\n## [Unreleased]\n\n- New.\n\n## [0.1.0] - 2026-11-15\n\n- Old.\n'
    assert.equal(releaseNotes(changelog, '0.2.0-dev'), '# Atrium 0.2.0-dev\n\n- New.\n')
    assert.equal(releaseNotes(changelog.replace('- New.\n', ''), '0.1.0'), '# Atrium 0.1.0\n\n- Old.\n')
  })

  test('is refused if its version has no notes, or was released with fewer changes', () => {
    const changelog = '## [Unreleased]\n\n- New.\n\n## [0.1.0]\n\n- Old.\n'
    assert.throws(() => releaseNotes(changelog, '0.1.0'), /changes under Unreleased/)
    assert.throws(() => releaseNotes(changelog.replace('- New.\n', ''), '0.2.0'), /no section "0\.2\.0"/)
    assert.ok(releaseNotes(textOf('CHANGELOG.md'), project.version).length > 0)
  })

  test('has no links of the client to files that its package lacks', () => {
    assert.doesNotMatch(textOf('client/README.md'), /\]\((?!https?:|#)/)
  })

  test('and the clone name the same repository', () => {
    const { repository } = commonFields(project) as { repository: object }
    assert.deepEqual(project.manifest.repository, repository)
  })
})
