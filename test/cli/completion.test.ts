import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { programPath } from '../../bench/programs.ts'
import { command } from '../harness/command.ts'

const cases: [typed: string, includes: string[], excludes: string[]][] = [
  ['atrium ', ['serve', 'token', 'completion'], ['create', '--json']],
  ['atrium tok', ['token'], ['serve']],
  ['atrium token ', ['create', 'list', 'revoke', 'rotate'], ['serve', '--json']],
  ['atrium token create acme-pms --', ['--name', '--expires', '--json', '--help'], ['--demo', 'list']],
  ['atrium backup atrium.gz --', ['--force', '--server', '--key'], ['--version']],
  ['atrium audit verify --', ['--head', '--server', '--key'], []],
  ['atrium audit seal --', ['--json'], ['--server', '--key']],
  ['atrium apply --d', ['--dry-run'], ['--prune']],
  ['atrium completion ', ['bash', 'zsh', 'fish'], ['serve']],
]

const folder = mkdtempSync(join(tmpdir(), 'atrium-completion-'))
const scriptOf = (shell: string) => join(folder, `script.${shell}`)

function run(program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', cwd: folder })
  assert.deepEqual([status, stderr], [0, ''])
  return stdout
}

/** Returns the words that bash offers. */
function bash(typed: string): string[] {
  const words = typed.split(' ').map((word) => `'${word}'`)
  const line = `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _atrium`
  return run('bash', '--norc', '-c', `source ${scriptOf('bash')}; ${line}; printf '%s\\n' "\${COMPREPLY[@]}"`).split(
    '\n',
  )
}

/** Returns the words that fish offers, without their descriptions. */
function fish(typed: string): string[] {
  const printed = run('fish', '--no-config', '-c', `source ${scriptOf('fish')}; complete -C '${typed}'`)
  return printed.split('\n').map((line) => line.split('\t')[0] ?? '')
}

/** Types into an interactive zsh, presses the tab key, and returns the words that it lists. */
function zsh(typed: string): string[] {
  const session = `zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'PS1=; stty columns 400; autoload -U compinit; compinit -u -D; source ${scriptOf('zsh')}'
zpty -w z 'compadd() { builtin compadd -O offered "$@"; print -l -- "<<" $offered ">>"; builtin compadd "$@" }; print READY'
zpty -r -m z line '*READY*READY*'
zpty -w -n z '${typed}'$'\\t\\t'
zpty -r -m z line '*>>*'
print -r -- $line
zpty -d z`
  const printed = run('zsh', '-f', '-c', session).replaceAll('\r', '')
  return [...printed.matchAll(/<<\n(.*?)>>/gs)].flatMap(([, list = '']) => list.split('\n'))
}

for (const [shell, offered] of Object.entries({ bash, zsh, fish })) {
  describe(`atrium completion ${shell}`, {
    skip: programPath(shell) === undefined && `${shell} is not installed`,
  }, () => {
    before(async () => {
      const { code, stdout, stderr } = await command({}, 'completion', shell)
      assert.deepEqual([code, stderr], [0, ''])
      writeFileSync(scriptOf(shell), stdout)
    })

    for (const [typed, includes, excludes] of cases) {
      it(`offers ${includes.join(', ')} after \`${typed}\``, () => {
        const words = offered(typed)
        for (const word of includes) assert.ok(words.includes(word), `${word} is not offered: ${words.join(' ')}`)
        for (const word of excludes) assert.ok(!words.includes(word), `${word} is offered`)
      })
    }
  })
}

it('another shell is refused', async () => {
  const { code, stderr } = await command({}, 'completion', 'tcsh')
  assert.equal(code, 2)
  assert.match(stderr, /^atrium: .*'tcsh' is invalid.*bash, zsh, fish.*\n$/)
})
