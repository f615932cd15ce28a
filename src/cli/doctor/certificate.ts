import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { CertificateFiles, Config } from '../../config.ts'
import type { Finding } from '../../storage/engine.ts'

const dayMs = 86_400_000
/** Whoever renews certificates by a program does so earlier than this. */
const warnDays = 14
const check = 'certificate'

/** That the two files can be used, belong together, and will for some time. Nothing when TLS is off. */
export function checkCertificate({ tls }: Pick<Config, 'tls'>, nowMs = Date.now()): Finding[] {
  return tls === null ? [] : [finding(tls, nowMs)]
}

function finding({ certificate, key }: CertificateFiles, nowMs: number): Finding {
  try {
    const shown = new X509Certificate(readFileSync(certificate))
    if (!shown.checkPrivateKey(createPrivateKey(readFileSync(key)))) {
      const advice = 'Set ATRIUM_TLS_CERT and ATRIUM_TLS_KEY to the two files of one certificate.'
      return { check, ok: false, detail: `the key in ${key} is not that of ${certificate}`, advice }
    }
    const daysLeft = Math.floor((Date.parse(shown.validTo) - nowMs) / dayMs)
    const isYoung = Date.parse(shown.validFrom) > nowMs
    const detail = `${certificate}, for ${shown.subject.replaceAll('\n', ', ')}, ${span(shown)}`
    const advice = isYoung ? 'Check the clock, or wait.' : 'Renew it: a running server shows the new one by itself.'
    return { check, ok: daysLeft >= warnDays && !isYoung, detail, advice }
  } catch (error) {
    const advice =
      'Set ATRIUM_TLS_CERT and ATRIUM_TLS_KEY to PEM files that this user may read; the key without a password.'
    const { code = 'no PEM' } = error as NodeJS.ErrnoException
    return { check, ok: false, detail: `${certificate} and ${key} cannot be used (${code})`, advice }
  }
}

function span({ validFrom, validTo }: X509Certificate): string {
  return `valid from ${day(validFrom)} to ${day(validTo)}`
}

function day(text: string): string {
  return new Date(text).toISOString().slice(0, 10)
}
