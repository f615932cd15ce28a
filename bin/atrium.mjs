#!/usr/bin/env node
// Plain JavaScript, so that an older Node can read it and hand over to the Node 24 that npm installs beside it.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

if (process.env.npm_lifecycle_event) stopWithParent()

if (Number.parseInt(process.versions.node, 10) >= 24) {
  await import('../src/main.ts')
} else {
  const node = bundledNode()
  if (node) runOn(node)
  else giveUp()
}

function bundledNode() {
  const windows = process.platform === 'win32'
  const folder = `node-${windows ? 'win' : process.platform}-${process.arch}`
  try {
    return createRequire(import.meta.url).resolve(`${folder}/bin/node${windows ? '.exe' : ''}`)
  } catch {
    return undefined
  }
}

function runOn(node) {
  const self = fileURLToPath(import.meta.url)
  const child = spawn(node, [...process.execArgv, self, ...process.argv.slice(2)], { stdio: 'inherit' })
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
  console.error(
    `atrium needs Node 24 and this is ${process.versions.node}: run \`npm ci\`, which installs it, or use Node 24`,
  )
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
