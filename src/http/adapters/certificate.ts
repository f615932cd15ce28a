import { readFileSync } from 'node:fs'
import { createSecureContext, type SecureContextOptions, type Server } from 'node:tls'
import type { CertificateFiles } from '../../config.ts'

interface KeyPair {
  cert: string
  key: string
}

export class Certificate {
  readonly #files: CertificateFiles
  readonly #servers = new Set<Server>()
  #current: KeyPair

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

  /** If the new certificate is unusable, servers keep the old one, and only the first call after the change throws. */
  reload(): boolean {
    const keyPair = read(this.#files)
    if (keyPair.cert === this.#current.cert && keyPair.key === this.#current.key) return false
    this.#current = keyPair
    const options = optionsFor(keyPair)
    // Throws if the certificate is unusable: setSecureContext would, too, but leave the server without any.
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
