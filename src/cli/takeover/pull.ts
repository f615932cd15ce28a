import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import type { Config } from '../../config.ts'
import { estateWriter } from '../../estate/write.ts'
import { Notes } from '../../takeover/notes.ts'
import { pull } from '../../takeover/pull.ts'
import { PullState, StateOfOtherPull } from '../../takeover/pull-state.ts'
import { pulledEstate } from '../../takeover/pulled-estate.ts'
import type { Remote } from '../../takeover/remote.ts'
import { RemoteFailure } from '../../takeover/remote-failure.ts'
import { assertFree } from '../estate/backup.ts'
import { type Write, writeFile } from '../estate/write-file.ts'
import { PipeClosed, writeOut } from '../estate/write-out.ts'
import { Failure } from '../failure.ts'
import { escapeControls, plural } from '../output.ts'
import { untilInterrupted } from '../until-interrupted.ts'
import { connect } from './connect.ts'
import { writeGuests } from './guests-file.ts'
import { noteLines } from './note-lines.ts'
import type { RemoteFlags } from './options.ts'
import { longProgress } from './progress.ts'
import { readTokens } from './read-tokens.ts'

export interface PullCommand extends RemoteFlags {
  baseUrl: string
  state: string
  output?: string
  timezone?: string
  guests?: string
  partial?: boolean
  json?: boolean
}

const say = (line: string) => process.stderr.write(`${line}\n`)

export async function runPull(config: Config, options: PullCommand): Promise<number> {
  if (options.guests !== undefined) await assertFree(options.guests, false)
  const tokens = (await readTokens(process.stdin, 1)).map(([token]) => token as string)
  const state = openState(options, tokens)
  try {
    const kept = `what was read is kept in ${options.state}: run the same command again to continue`
    const failed = await untilInterrupted(
      (signal) => readAll(connect(options.baseUrl, tokens, options, signal), state, config.limits, options),
      kept,
    )
    if (failed.length > 0) say(`${plural(failed.length, 'facility', 'facilities')} could not be read; ${kept}`)
    if (failed.length > 0 && !options.partial) {
      throw new Failure('nothing was written, because the estate is incomplete; --partial writes what was read')
    }
    await writeFiles(config, state, options)
    if (failed.length > 0) return 1
  } finally {
    state.close()
  }
  rmSync(options.state, { force: true })
  return 0
}

function openState({ baseUrl, state, guests, timezone = 'UTC' }: PullCommand, tokens: string[]): PullState {
  const hash = createHash('sha256').update(tokens.join('\n')).digest('hex').slice(0, 8)
  try {
    return new PullState(state, { baseUrl, tokens: hash, guests: guests === undefined ? null : timezone })
  } catch (error) {
    if (error instanceof StateOfOtherPull) {
      throw new Failure(
        `${state} belongs to a pull with another address, other tokens or other guests: delete it, or set --state`,
      )
    }
    throw new Failure(`cannot use ${state}: ${(error as Error).message}; set --state to a file that can be written`)
  }
}

async function readAll(
  remotes: Remote[],
  state: PullState,
  limits: Config['limits'],
  { guests, timezone }: PullCommand,
): Promise<string[]> {
  const progress = longProgress()
  try {
    const rules = guests === undefined ? undefined : { timezone, limits }
    return await pull(remotes, state, limits, rules, {
      done: (facilities, total) => progress.show(`Read ${facilities} of ${total} facilities`, facilities / total),
      failed: (facility, why) => say(escapeControls(`${facility}: ${why}`)),
    })
  } catch (error) {
    throw error instanceof RemoteFailure ? new Failure(escapeControls(error.message)) : error
  } finally {
    progress.clear()
    const requests = remotes.reduce((sum, { requestCount }) => sum + requestCount, 0)
    say(`${plural(requests, 'request')}, ${state.done.size} of ${state.plan?.facilities.length ?? 0} facilities read`)
  }
}

async function writeFiles(config: Config, state: PullState, options: PullCommand): Promise<void> {
  const notes = new Notes()
  if (options.guests !== undefined) await writeGuests(config, state, options.timezone, options.guests, notes)
  // All items may not fit in memory, so they are generated twice: here for their notes, which the file has first.
  for (const _ of pulledEstate(state, options.timezone, notes));
  const lines = noteLines(notes.list())
  const write = (out: Write) => writeItems(state, options, lines, out)
  if (options.output !== undefined) await writeFile(options.output, write)
  else await write((text) => writeOut(process.stdout, text)).catch(unlessPipeClosed)
  say('Not in the estate file, or to be checked:')
  for (const line of lines) say(`  ${line}`)
}

async function writeItems(state: PullState, options: PullCommand, lines: string[], write: Write): Promise<void> {
  const writer = estateWriter(options.json ? 'json' : 'yaml')
  if (!options.json) {
    await write(`# Read from ${options.baseUrl}. Not in this file, or to be checked:\n`)
    for (const line of lines) await write(`# - ${line}\n`)
  }
  for (const item of pulledEstate(state, options.timezone, new Notes())) await write(writer.add(item))
  await write(writer.end())
}

function unlessPipeClosed(error: unknown): void {
  if (!(error instanceof PipeClosed)) throw error
}
