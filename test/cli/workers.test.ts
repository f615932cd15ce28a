import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Serving, serve } from '../harness/command.ts'
import type { Connection } from '../harness/connection.ts'
import { engines, type FreshDatabase, freshDatabase } from '../harness/databases.ts'
import { ask, connections, isAlive, request, until, workersOf } from '../harness/workers.ts'

const metricsOf = async (connection: Connection, withinMs = 30_000) =>
  (await ask(connection, 'GET /metrics', '', undefined, withinMs))?.body ?? ''
const meCount = (text: string) =>
  Number(/requests_total\{method="GET",route="\/v1\/me",status="200"\} (\d+)/.exec(text)?.[1])
const rooms = Array.from({ length: 8 }, (_, n) => `annecy-01-B-${201 + n}`)

for (const engine of engines) {
  describe(`atrium serve --workers 2 on ${engine}`, () => {
    let database: FreshDatabase
    let serving: Serving
    const tokenOf = (partner: string) =>
      new RegExp(`^ {2}${partner} .* (atr_\\w+)$`, 'm').exec(serving.printed())?.[1] ?? ''
    before(async () => {
      database = await freshDatabase(engine)
      serving = await serve({ ATRIUM_DATABASE: database.url, ATRIUM_RATE_LIMIT: 'off' }, '--demo', '--workers', '2')
    })
    after(async () => {
      await serving.stop()
      await database.drop()
    })

    it('prints one ready line, and loads the demo once', async () => {
      assert.equal((await workersOf(serving)).length, 2)
      assert.equal(serving.printed().match(/atrium ready on/g)?.length, 1)
      assert.equal(serving.printed().match(/^ {2}(acme-pms|vesta-tv) .* atr_\w+$/gm)?.length, 2)
    })

    it('shows a write through one worker in the next request to each', async () => {
      const all = await connections(8, serving.url)
      for (const [at, writer] of all.entries()) {
        const token = tokenOf('acme-pms')
        const renamed = await ask(writer, 'PATCH /v1/facilities/lyon-01/name', token, { value: `Name ${at}` })
        assert.equal(renamed?.status, 200)
        for (const reader of all) {
          const facility = await ask(reader, 'GET /v1/facilities/lyon-01/', token)
          assert.equal(facility?.json().name, `Name ${at}`)
        }
      }
      for (const one of all) one.close()
    })

    it('serves the /metrics of both through either, also if one does not respond', async () => {
      const all = await connections(8, serving.url)
      for (const one of [...all, ...all]) await ask(one, 'GET /v1/me', tokenOf('acme-pms'))
      for (const one of all) {
        const text = await until('the sum', async () => {
          const text = await metricsOf(one)
          return meCount(text) === 16 && text
        })
        assert.match(text, /^process_resident_memory_bytes \d+$/m)
      }
      const [stopped = 0] = await workersOf(serving)
      process.kill(stopped, 'SIGSTOP')
      const answers = await Promise.all(all.map((one) => metricsOf(one, 8000)))
      process.kill(stopped, 'SIGCONT')
      assert.deepEqual(new Set(answers.filter((text) => text !== '').map(meCount)), new Set([16]))
      assert.ok(answers.includes('') && answers.some((text) => text !== ''))
      for (const one of all) one.close()
    })

    it('rebalances connections to a restarted worker', async () => {
      const [victim = 0, other = 0] = await workersOf(serving)
      process.kill(victim, 'SIGKILL')
      await until('its end', async () => !isAlive(victim))
      const all = await connections(32, serving.url)
      await until('an even share', async () => {
        for (let round = 0; round < 5; round++)
          await Promise.all(all.map((one) => ask(one, 'GET /v1/me', tokenOf('acme-pms'))))
        process.kill(other, 'SIGSTOP')
        for (const one of all) one.send(request('GET /v1/me', tokenOf('acme-pms')).head)
        const answered = await Promise.all(all.map(async (one) => (await one.answer(500)) !== undefined))
        process.kill(other, 'SIGCONT')
        const waiting = all.filter((_, at) => !answered[at])
        for (const one of waiting) await one.answer()
        return Math.abs(waiting.length - 16) <= 2
      })
      for (const one of all) one.close()
    })

    it('loses no acknowledged write when one is killed, and restarts it', async () => {
      const token = tokenOf('vesta-tv')
      const all = await connections(32, serving.url)
      const acknowledged: string[] = []
      const before = meCount(await metricsOf(all[0] as Connection))
      let over = false
      const write = async (connection: Connection, at: number) => {
        for (let n = 0; !over; n++) {
          const code = `c-${at}-${n}`
          const room = rooms[at % rooms.length]
          const body = { value: JSON.stringify([{ code }]) }
          const answer = await ask(connection, `POST /v1/areas/${room}/data_services`, token, body)
          if (answer === undefined) return 'cut off'
          assert.equal(answer.status, 200)
          acknowledged.push(code)
        }
        return 'answered'
      }
      const [victim = 0, other = 0] = await workersOf(serving)
      const writing = all.map(write)
      await until('some writes', async () => acknowledged.length > 64)
      process.kill(victim, 'SIGKILL')
      await sleep(200)
      over = true
      const ends = await Promise.all(writing)
      const cut = ends.filter((end) => end === 'cut off').length
      assert.ok(cut > 0 && cut < all.length, `${cut} connections were cut off`)
      const [fresh] = (await connections(1, serving.url)) as [Connection]
      const codes = new Set<string>()
      for (const room of rooms) {
        const found = (await ask(fresh, `GET /v1/areas/${room}/data_services`, token))?.json().data_services
        for (const { code } of found) codes.add(code)
      }
      const lost = acknowledged.filter((code) => !codes.has(code))
      assert.deepEqual(lost, [])
      await until('a new worker', async () => (await workersOf(serving)).length === 2)
      const line = await until(
        'a line in the log',
        async () => new RegExp(`^.*"pid":${victim}\\b.*$`, 'm').exec(serving.printed())?.[0],
      )
      const { level, ended, msg } = JSON.parse(line)
      assert.deepEqual([level, ended, msg], ['error', 'SIGKILL', 'a worker ended and is started again'])
      assert.ok((await workersOf(serving)).includes(other))
      // The last reported counters of the killed worker are kept: a total never decreases.
      assert.equal(meCount(await metricsOf(fresh)), before)
      for (const one of [fresh, ...all]) one.close()
    })

    it('restarts on the same port when all are killed, with increasing backoff', async () => {
      for (let round = 0; round < 2; round++) {
        const old = await until('both', async () => {
          const pids = await workersOf(serving)
          const health = await fetch(`${serving.url}/healthz`).catch(() => undefined)
          return pids.length === 2 && health?.ok && pids
        })
        for (const pid of old) process.kill(pid, 'SIGKILL')
        await until('their end', async () => !old.some(isAlive))
      }
      await until('a response', async () => (await fetch(`${serving.url}/healthz`).catch(() => undefined))?.ok)
      const pauses = Array.from(serving.printed().matchAll(/"pause_ms":(\d+)/g), ([, ms]) => Number(ms))
      assert.equal(pauses[0], 200)
      assert.ok(Math.max(...pauses) >= 400)
    })

    it('writes whole lines, however many they are and however slowly they are read', async () => {
      const all = await connections(8, serving.url)
      serving.child.stdout?.pause()
      const many = all.map(async (one, at) => {
        for (let n = 0; n < 150; n++) {
          const { head } = request('GET /v1/me', tokenOf('acme-pms'))
          one.send(head.replace('\r\n\r\n', `\r\nX-Request-Id: whole-${'x'.repeat(110)}-${at}-${n}\r\n\r\n`))
          await one.answer()
        }
      })
      await Promise.race([Promise.all(many), sleep(1500)])
      serving.child.stdout?.resume()
      await Promise.all(many)
      const lines = await until('every line', async () => {
        const found = serving.printed().match(/^.*whole-.*\n/gm) ?? []
        return found.length === 8 * 150 && found
      })
      for (const line of lines) assert.equal(JSON.parse(line).msg, 'request')
      for (const one of all) one.close()
    })
  })
}
