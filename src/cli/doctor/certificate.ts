import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { CertificateFiles, Config } from '../../config.ts'
import type { Finding } from '../../storage/engine.ts'

const dayMs = 86_400_000
/** Days before the expiry that count as a problem: automatic renewal happens earlier, so it has failed by then. */
const warnDays = 14
const check = 'certificate'

/** Checks that certificate and key can be read, belong together and do not expire soon. */
export function checkCertificate({ tls }: Pick<Config, 'tls'>, nowMs = Date.now()): Finding[] {
  return tls === null ? [] : [finding(tls, nowMs)]
}

function finding({ certificate, key }: CertificateFiles, nowMs: number): Finding {
  try {
    const shown = new X509Certificate(readFileSync(certificate))
    if (!shown.checkPrivateKey(createPrivateKey(readFileSync(key)))) {
      const advice = 'Set ATRIUM_TLS_CERT and ATRIUM_TLS_KEY to a certificate and its own key.'
      return { check, ok: false, detail: `the key in ${key} does not belong to ${certificate}`, advice }
    }
    const daysLeft = Math.floor((Date.parse(shown.validTo) - nowMs) / dayMs)
    const isNotYetValid = Date.parse(shown.validFrom) > nowMs
    const detail = `${certificate}, for ${shown.subject.replaceAll('\n', ', ')}, ${span(shown)}`
    const advice = isNotYetValid
      ? 'Check the clock, or wait until it is valid.'
      : 'Renew it: a running server loads the new one automatically.'
    return { check, ok: daysLeft >= warnDays && !isNotYetValid, detail, advice }
  } catch (error) {
    const advice =
      'Set ATRIUM_TLS_CERT and ATRIUM_TLS_KEY to PEM files that this user may read; the key must not have a password.'
    const { code = 'not PEM' } = error as NodeJS.ErrnoException
    return { check, ok: false, detail: `${certificate} and ${key} cannot be used (${code})`, advice }
  }
}

function span({ validFrom, validTo }: X509Certificate): string {
  return `valid from ${day(validFrom)} to ${day(validTo)}`
}

function day(text: string): string {
  return new Date(text).toISOString().slice(0, 10)
}
