import { readFileSync } from 'node:fs'
import { createSecureContext, type SecureContextOptions, type Server } from 'node:tls'
import type { CertificateFiles } from '../../config.ts'

/** The certificate and its private key, both in PEM format. */
interface KeyPair {
  cert: string
  key: string
}

/**
 * The TLS certificate of all servers in a process. `reload` replaces it without a restart when its files have changed.
 */
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
   * Reads the files again and returns whether they have changed. If the new certificate is unusable, the servers keep
   * the old one, and only the first call after the change throws. Open connections keep the old certificate in any
   * case.
   */
  reload(): boolean {
    const keyPair = read(this.#files)
    if (keyPair.cert === this.#current.cert && keyPair.key === this.#current.key) return false
    this.#current = keyPair
    const options = optionsFor(keyPair)
    // Throws if the certificate is unusable, before a server gets it: setSecureContext would throw as well, but leave
    // the server without any certificate.
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
