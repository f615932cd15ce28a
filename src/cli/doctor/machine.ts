import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import type { Config } from '../../config.ts'
import { databaseFile } from '../../storage/database.ts'
import type { Finding } from '../../storage/engine.ts'

const minNodeVersion = 24
const mebibyte = 1024 * 1024
/** The minimum of free disk space: enough for the write-ahead log and a backup of an estate of average size. */
const minFreeBytes = 512 * mebibyte

export function checkNode(): Finding {
  const detail = process.versions.node
  const ok = Number.parseInt(detail, 10) >= minNodeVersion
  return { check: 'Node', ok, detail, advice: `Install Node ${minNodeVersion}; on Linux, \`npm ci\` installs it.` }
}

/** Checks that the year is plausible: with a wrong clock, tokens and services would expire too early or too late. */
export function checkClock(now = new Date()): Finding {
  const year = now.getUTCFullYear()
  const advice = 'Set the clock, and run a time service such as chrony or systemd-timesyncd.'
  return { check: 'clock', ok: year >= 2026 && year < 2100, detail: now.toISOString(), advice }
}

export function checkFolders(config: Config): Finding[] {
  const file = fileOf(config)
  return [
    ...(file === undefined ? [] : [checkFolder('database folder', nearest(dirname(file)), 'write')]),
    checkFolder('temporary folder', tmpdir(), 'write'),
    checkFolder('working folder', process.cwd(), 'read'),
  ]
}

/** Returns undefined also if ATRIUM_DATABASE is invalid, which checkDatabase reports. */
function fileOf(config: Config): string | undefined {
  try {
    return databaseFile(config.database)
  } catch {
    return undefined
  }
}

function nearest(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearest(dirname(folder))
}

function checkFolder(check: string, folder: string, use: 'read' | 'write'): Finding {
  try {
    accessSync(folder, use === 'write' ? constants.W_OK : constants.R_OK)
    const { bavail, bsize } = statfsSync(folder)
    const freeBytes = bavail * bsize
    const detail = `${folder}, ${Math.floor(freeBytes / mebibyte)} MiB free`
    const advice = `Free disk space: at least ${minFreeBytes / mebibyte} MiB are recommended.`
    return { check, ok: freeBytes >= minFreeBytes, detail, advice }
  } catch (error) {
    const advice = 'Create the folder, and let the user that runs Atrium use it.'
    return { check, ok: false, detail: `${folder} cannot be used (${(error as NodeJS.ErrnoException).code})`, advice }
  }
}
