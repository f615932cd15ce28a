#!/usr/bin/env node
// Plain JavaScript, so that an older Node can read it and hand over to the Node 24 that npm installs beside it.
import module from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Left alone, V8 lets the young generation of a busy server grow to 96 MB, which makes nothing faster here. */
const memoryFlags = ['--max-semi-space-size=4']
/**
 * Left alone, V8 lets what is no longer needed grow to several times of what is before it looks for it. Another Node may
 * not know the flag, and would not start with it.
 */
if (willRunOnNode24()) memoryFlags.push('--heap-growing-percent=20')
/**
 * Left alone, glibc keeps what bodies took, in case others come: up to 60 MB after areas and long lists. The compiler
 * works in pieces of 32 kB, which are not worth a call to the system. A process has 65,530 mappings in all.
 */
const allocation = { MALLOC_MMAP_THRESHOLD_: '40960', MALLOC_TRIM_THRESHOLD_: '131072', MALLOC_MMAP_MAX_: '20000' }

if (process.argv[2] === 'serve' && isReplaceable()) runInPlace()
if (process.env.npm_lifecycle_event) stopWithParent()

if (Number.parseInt(process.versions.node, 10) >= 24) {
  const { programIn } = await import('./program.mjs')
  const { entry, cache } = programIn(resolve(import.meta.dirname, '..'))
  keepCompiledCode(cache)
  await import(pathToFileURL(entry).href)
} else {
  const node = bundledNode()
  if (node) await runOn(node)
  else giveUp()
}

/** What V8 compiled is there at the next start, which takes half as long. Without a place for it, all works as well. */
function keepCompiledCode(cache) {
  // Coverage is less exact in code that was compiled before.
  if (process.env.NODE_V8_COVERAGE) return
  const { XDG_CACHE_HOME, LOCALAPPDATA, HOME } = process.env
  const home = XDG_CACHE_HOME || LOCALAPPDATA || (HOME && `${HOME}/.cache`)
  // Never in a folder that others can write to: who can change compiled code can run code here.
  const places = [cache, ...(home ? [`${home}/atrium`] : [])]
  const { FAILED } = module.constants.compileCacheStatus
  const place = places.find((place) => module.enableCompileCache(place).status !== FAILED)
  // For threads, which would each load the compiler of TypeScript: 30 MB for as long as they live.
  if (place !== undefined) process.env.NODE_COMPILE_CACHE ??= place
}

/** An older one hands over to the Node 24 that npm installs on Linux. */
function willRunOnNode24() {
  return Number.parseInt(process.versions.node, 10) <= 24
}

function bundledNode() {
  try {
    return module.createRequire(import.meta.url).resolve(`node-${process.platform}-${process.arch}/bin/node`)
  } catch {
    return undefined
  }
}

/** V8 takes those flags at its start only; a parent's channel, or a choice that was made, would be lost. */
function isReplaceable() {
  const flags = [process.env.NODE_OPTIONS, ...process.execArgv].join(' ')
  return process.execve && process.platform !== 'win32' && !process.send && !flags.includes('max-semi-space-size')
}

/** The same process from now on, with its id, its files and its settings. */
function runInPlace() {
  const args = [process.argv0, ...process.execArgv, ...memoryFlags, ...process.argv.slice(1)]
  process.execve(process.execPath, args, { ...allocation, ...process.env })
}

async function runOn(node) {
  const { spawn } = await import('node:child_process')
  const child = spawn(node, [...process.execArgv, ...memoryFlags, ...process.argv.slice(1)], {
    stdio: 'inherit',
    env: { ...allocation, ...process.env },
  })
  // A terminal sends Ctrl-C to the child as well: passing it on would deliver it twice.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.on('error', giveUp)
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
function giveUp() {
  console.error(`atrium needs Node 24 and this is ${process.versions.node}: install it; on Linux \`npm ci\` does`)
  process.exit(1)
}

// npm passes SIGTERM to its shell only, which dies without passing it on.
function stopWithParent() {
  const parent = process.ppid
  const watch = () => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }
  const timer = setInterval(watch, 500).unref()
}
