import { readFileSync } from 'node:fs'
import { createSecureContext, type SecureContextOptions, type Server } from 'node:tls'
import type { CertificateFiles } from '../../config.ts'

/** What the files hold. */
interface Held {
  cert: string
  key: string
}

/** The certificate that the servers of a process show, followed through its files. */
export class Certificate {
  readonly #files: CertificateFiles
  readonly #servers = new Set<Server>()
  #last: Held

  /** Fails when there is none that could be shown. */
  constructor(files: CertificateFiles) {
    this.#files = files
    this.#last = read(files)
    createSecureContext(optionsFor(this.#last))
  }

  get options(): SecureContextOptions {
    return optionsFor(this.#last)
  }

  showOn(server: Server): void {
    this.#servers.add(server)
    server.once('close', () => this.#servers.delete(server))
  }

  /** Looks at the files again. Connections that are open stay; one that cannot be used fails once, and the old one stays. */
  renew(): boolean {
    const held = read(this.#files)
    if (held.cert === this.#last.cert && held.key === this.#last.key) return false
    this.#last = held
    const options = optionsFor(held)
    // A server that was given a bad one would have none.
    createSecureContext(options)
    for (const server of this.#servers) server.setSecureContext(options)
    return true
  }
}

function read({ certificate, key }: CertificateFiles): Held {
  return { cert: readFileSync(certificate, 'utf8'), key: readFileSync(key, 'utf8') }
}

function optionsFor(held: Held): SecureContextOptions {
  return { ...held, minVersion: 'TLSv1.2' }
}
