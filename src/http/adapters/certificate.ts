import { readFileSync } from 'node:fs'
import { createSecureContext, type SecureContextOptions, type Server } from 'node:tls'
import type { CertificateFiles } from '../../config.ts'

/** The certificate and its private key, both in PEM format. */
interface KeyPair {
  cert: string
  key: string
}

/** The TLS certificate of a process's servers. `reload` picks up changed files without a restart. */
export class Certificate {
  readonly #files: CertificateFiles
  readonly #servers = new Set<Server>()
  #current: KeyPair

  /** Throws when the files hold no usable certificate. */
  constructor(files: CertificateFiles) {
    this.#files = files
    this.#current = read(files)
    createSecureContext(optionsFor(this.#current))
  }

  get options(): SecureContextOptions {
    return optionsFor(this.#current)
  }

  applyTo(server: Server): void {
    this.#servers.add(server)
    server.once('close', () => this.#servers.delete(server))
  }

  /**
   * Reads the files again and returns whether they have changed. Open connections keep the old certificate. An unusable
   * new one throws, once, and the servers keep the old one.
   */
  reload(): boolean {
    const keyPair = read(this.#files)
    if (keyPair.cert === this.#current.cert && keyPair.key === this.#current.key) return false
    this.#current = keyPair
    const options = optionsFor(keyPair)
    // Throws for an unusable certificate. Without this line setSecureContext would throw, and leave the server without
    // any.
    createSecureContext(options)
    for (const server of this.#servers) server.setSecureContext(options)
    return true
  }
}

function read({ certificate, key }: CertificateFiles): KeyPair {
  return { cert: readFileSync(certificate, 'utf8'), key: readFileSync(key, 'utf8') }
}

function optionsFor(keyPair: KeyPair): SecureContextOptions {
  return { ...keyPair, minVersion: 'TLSv1.2' }
}
