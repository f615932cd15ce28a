import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { textMatched } from './torture/own-fields.ts'
import { plant } from './torture/plant.ts'

test(`the model catches a planted bug: ${textMatched.name}`, async () => {
  using copy = plant(textMatched)
  const child = spawn(process.execPath, ['--test', 'test/model.test.ts'], { cwd: copy.build, env: withoutRunner() })
  const printed: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => printed.push(piece))
  const [code] = await once(child, 'close')
  const said = Buffer.concat(printed).toString()
  assert.equal(code, 1, said)
  assert.match(said, /answered 404|active_at|service=|data_services\/\d+\/code/)
})

/** Without the variables of the test runner, since a nested one would report to the outer one. */
function withoutRunner(): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _, ...environment } = process.env
  return environment
}
