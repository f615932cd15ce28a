import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { serve } from '../harness/command.ts'
import { tool } from '../torture/tool.ts'

/** Receives one datagram, with Perl, because Node has no datagram sockets of Unix. */
const receiver = `use Socket;
socket(my $s, PF_UNIX, SOCK_DGRAM, 0) or die; bind($s, sockaddr_un($ARGV[0])) or die;
recv($s, my $text, 1000, 0); print $text;`

for (const workers of ['1', '2']) {
  it(`a service of ${workers} process(es) tells systemd when it is ready`, async () => {
    tool('systemd-notify', 'systemd')
    const folder = mkdtempSync(join(tmpdir(), 'atrium-notify-'))
    const socket = join(folder, 'notify')
    const perl = spawn('perl', ['-e', receiver, socket], { stdio: ['ignore', 'pipe', 'inherit'] })
    let told = ''
    perl.stdout.setEncoding('utf8').on('data', (text) => {
      told += text
    })
    const ended = once(perl, 'close')
    while (!existsSync(socket)) await sleep(10)
    const settings = { NOTIFY_SOCKET: socket, ATRIUM_DATABASE: `sqlite:${join(folder, 'atrium.db')}` }
    const server = await serve(settings, '--workers', workers)
    try {
      await ended
      assert.match(told, /^READY=1$/m)
      assert.equal((await fetch(`${server.url}/readyz`)).status, 200)
    } finally {
      await server.stop()
    }
  })
}
