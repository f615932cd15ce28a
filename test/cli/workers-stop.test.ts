import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { atrium, type Serving, serve } from '../harness/command.ts'
import type { Connection } from '../harness/connection.ts'
import { engines, type FreshDatabase, freshDatabase } from '../harness/databases.ts'
import { begin, connections, idleOn, isAlive, request, until, untilLetGo, workersOf } from '../harness/workers.ts'

for (const engine of engines) {
  describe(`stopping atrium serve --workers 2 on ${engine}`, () => {
    let database: FreshDatabase
    before(async () => {
      database = await freshDatabase(engine)
    })
    after(() => database.drop())
    const start = () => serve({ ATRIUM_DATABASE: database.url, ATRIUM_LOG: 'silent' }, '--demo', '--workers', '2')
    const tokens: string[] = []
    const rename = (serving: Serving) => {
      // Tokens are shown once, at the start that loads the demo.
      tokens.push(...(/^ {2}acme-pms .* (atr_\w+)$/m.exec(serving.printed())?.slice(1) ?? []))
      return { serving, ...request('PATCH /v1/facilities/lyon-01/name', tokens[0] ?? '', { value: 'New' }) }
    }

    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      it(`${signal} to every process lets all complete their open requests`, async () => {
        const { serving, head, body } = rename(await start())
        const workers = await workersOf(serving)
        const all = await connections(16, serving.url)
        await Promise.all(all.map((one) => begin(one, head)))
        const idle = await idleOn(serving.url)
        for (const pid of [...workers, serving.child.pid as number]) process.kill(pid, signal)
        await untilLetGo(idle)
        const ended = once(serving.child, 'exit')
        for (const one of all) one.send(body)
        const answers = await Promise.all(all.map((one) => one.answer()))
        assert.deepEqual(
          answers.map((answer) => [answer?.status, answer?.headers.connection]),
          all.map(() => [200, 'close']),
        )
        assert.deepEqual(await ended, [0, null])
        assert.deepEqual(workers.filter(isAlive), [])
      })
    }

    it('a second signal, and a crash of the primary process, end all workers at once', async () => {
      for (const last of ['SIGTERM', 'SIGKILL'] as const) {
        const { serving, head } = rename(await start())
        const workers = await workersOf(serving)
        const [half] = (await connections(1, serving.url)) as [Connection]
        await begin(half, head)
        const idle = await idleOn(serving.url)
        serving.child.kill('SIGTERM')
        await untilLetGo(idle)
        // Within this time, a second signal counts as the same one, passed on by npm or a shell.
        await sleep(1000)
        assert.equal(serving.child.exitCode, null)
        const ended = once(serving.child, 'exit')
        serving.child.kill(last)
        assert.deepEqual(await ended, last === 'SIGTERM' ? [143, null] : [null, 'SIGKILL'])
        await until('the end of the workers', async () => !workers.some(isAlive))
        half.close()
      }
    })

    it('a failed start is reported in one line, as with one process', async () => {
      const stranger = createServer().listen(0, '127.0.0.1')
      await once(stranger, 'listening')
      const { port } = stranger.address() as { port: number }
      const settings = { ATRIUM_DATABASE: database.url, ATRIUM_PORT: String(port), ATRIUM_WORKERS: '3' }
      const { code, stdout, stderr } = await atrium(settings, 'serve')
      stranger.close()
      assert.deepEqual([code, stdout], [1, ''])
      assert.match(stderr, new RegExp(`^atrium: [^\\n]*${port}[^\\n]*ATRIUM_PORT[^\\n]*\\n$`))
    })
  })
}

describe('an invalid number of workers', { concurrency: 4 }, () => {
  for (const value of ['0', '-1', '1.5', 'two', '257', '']) {
    it(`--workers ${JSON.stringify(value)}`, async () => {
      const { code, stdout, stderr } = await atrium({}, 'serve', `--workers=${value}`)
      assert.deepEqual([code, stdout], [2, ''])
      assert.match(stderr, /^atrium: [^\n]*--workers[^\n]*a whole number from 1 to 256[^\n]*\n$/)
    })
  }
})
