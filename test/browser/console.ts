import { createRequire } from 'node:module'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { commandLine } from '../../src/domain/audit.ts'
import type { Role } from '../../src/domain/operator.ts'
import { createOperator, findOperators } from '../../src/operations/operator.ts'
import { makeSignInLink } from '../../src/operations/sign-in.ts'
import type { TestAtrium } from '../harness/atrium.ts'

export interface Opened {
  page: Page
  context: BrowserContext
  /** Exceptions, dialogs, and what the content security policy stopped. */
  complaints: string[]
}

export interface OpenOptions {
  colorScheme?: 'light' | 'dark'
  width?: number
  language?: 'en' | 'fr'
}

/** A browser of its own in which an operator of this role has signed in by a link. */
export async function signedIn(
  { service: { db }, url }: TestAtrium,
  browser: Browser,
  role: Role,
  options: OpenOptions = {},
): Promise<Opened> {
  const email = `${role}@example.com`
  const known = (await findOperators(db)).find((one) => one.email === email)
  const operator = known ?? (await createOperator(db, commandLine, { email, name: role, role, password: null }))
  const { secret } = await makeSignInLink(db, commandLine, operator.id)
  const opened = await open(browser, options)
  await opened.page.goto(`${url}/console/sign-in?to=/settings#link=${secret}`)
  await opened.page.waitForURL('**/console/settings')
  return opened
}

export async function open(browser: Browser, options: OpenOptions = {}): Promise<Opened> {
  const { colorScheme = 'light', width = 1280, language = 'en' } = options
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 }, locale: language })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('dialog', (dialog) => {
    // Whoever leaves with unsaved changes is asked; here the answer is to leave.
    if (dialog.type() === 'beforeunload') return void dialog.accept()
    complaints.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    if (/Content Security Policy|violates the following/.test(message.text())) complaints.push(message.text())
  })
  return { page, context, complaints }
}

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** What axe finds, as lines: rule, and the first element. */
export async function axeFindings(page: Page): Promise<string[]> {
  // The policy of the page lets no script in from outside; this one comes through the debugger.
  await page.evaluate(await axeSource())
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: AxeViolation[] }> } }
    const { violations } = await axe.run()
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`)
  })
}

interface AxeViolation {
  id: string
  nodes: { html: string; failureSummary: string }[]
}

async function axeSource(): Promise<string> {
  const { readFile } = await import('node:fs/promises')
  return readFile(axePath, 'utf8')
}
