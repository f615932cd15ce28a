import { execFile } from 'node:child_process'
import type { Config } from '../config.ts'

/**
 * Notifies systemd that a service of `Type=notify` is ready, so that units after it start then. By the program of
 * systemd, because Node has no datagram sockets of Unix.
 */
export function notifyReady({ hasNotifySocket }: Config): void {
  if (!hasNotifySocket) return
  execFile('systemd-notify', ['--ready'], (error) => {
    if (error) process.stderr.write(`atrium: systemd could not be notified (${error.message.trim()})\n`)
  })
}
