import { execFile } from 'node:child_process'
import type { Config } from '../config.ts'

/**
 * Notifies systemd that the service is ready, so that units which depend on it can start (`Type=notify`). Runs
 * systemd's own program, because Node cannot send to a Unix datagram socket.
 */
export function notifyReady({ hasNotifySocket }: Config): void {
  if (!hasNotifySocket) return
  execFile('systemd-notify', ['--ready'], (error) => {
    if (error) process.stderr.write(`atrium: systemd could not be notified (${error.message.trim()})\n`)
  })
}
