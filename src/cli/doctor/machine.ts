import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import type { Config } from '../../config.ts'
import { databaseFile } from '../../storage/database.ts'
import type { Finding } from '../../storage/engine.ts'

const nodeAtLeast = 24
const mebibyte = 1024 * 1024
/** Room for the database's log of changes and for a backup of a middling estate. */
const freeAtLeastBytes = 512 * mebibyte

export function checkNode(): Finding {
  const detail = process.versions.node
  const ok = Number.parseInt(detail, 10) >= nodeAtLeast
  return { check: 'Node', ok, detail, advice: `Install Node ${nodeAtLeast}; on Linux \`npm ci\` does.` }
}

/** Tokens expire and validity windows close by this clock. */
export function checkClock(now = new Date()): Finding {
  const year = now.getUTCFullYear()
  const advice = 'Set the clock, and run a time service (chrony, systemd-timesyncd).'
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

/** A setting that names no database is checkDatabase's to report. */
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
    const advice = `Free some disk: at least ${freeAtLeastBytes / mebibyte} MiB should be left.`
    return { check, ok: freeBytes >= freeAtLeastBytes, detail, advice }
  } catch (error) {
    const advice = 'Create the folder, or let the user that runs Atrium write to it.'
    return { check, ok: false, detail: `${folder} cannot be used (${(error as NodeJS.ErrnoException).code})`, advice }
  }
}
