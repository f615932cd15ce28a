import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Role } from '../../src/domain/access/operator.ts'
import { commandLine } from '../../src/domain/audit/audit.ts'
import { createOperator, findOperators } from '../../src/operations/access/operator.ts'
import { createSignInLink } from '../../src/operations/access/sign-in.ts'
import type { TestAtrium } from '../harness/atrium.ts'

export interface Opened {
  page: Page
  context: BrowserContext
  /** Exceptions, browser dialogs, and violations of the content security policy. */
  complaints: string[]
}

export interface OpenOptions {
  colorScheme?: 'light' | 'dark'
  width?: number
  language?: 'en' | 'fr'
}

/** Longer than anything takes on a busy machine, shorter than the timeout of a test. */
export const patienceMs = 30_000

/** Opens a browser in which an operator of this role has signed in by a link. */
export async function signedIn(
  { service: { db }, url }: TestAtrium,
  browser: Browser,
  role: Role,
  options: OpenOptions = {},
): Promise<Opened> {
  const email = `${role}@example.com`
  const known = (await findOperators(db)).find((one) => one.email === email)
  const operator = known ?? (await createOperator(db, commandLine, { email, name: role, role, password: null }))
  const { secret } = await createSignInLink(db, commandLine, operator.id)
  const opened = await open(browser, options)
  await opened.page.goto(`${url}/console/sign-in?to=/settings#link=${secret}`)
  await opened.page.waitForURL('**/console/settings')
  return opened
}

export async function open(browser: Browser, options: OpenOptions = {}): Promise<Opened> {
  const { colorScheme = 'light', width = 1280, language = 'en' } = options
  const viewport = { width, height: 900 }
  // Disables animations, so that elements can be used at once.
  const context = await browser.newContext({ colorScheme, viewport, locale: language, reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.setDefaultTimeout(patienceMs)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('dialog', (dialog) => {
    // Confirms leaving a page with unsaved changes.
    if (dialog.type() === 'beforeunload') return void dialog.accept()
    complaints.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  await page.exposeBinding('complain', (_source, line: string) => void complaints.push(line))
  await page.addInitScript(reportPolicy)
  return { page, context, complaints }
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Runs in the page: reports violations of the content security policy. */
const reportPolicy = `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
  complain(\`the policy stopped \${violatedDirective} \${blockedURI} \${sample}\`))`

/** Runs in the page: a color that changes gradually would be checked before its final value. */
const withoutTransitions = `{
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('* { transition: none !important }')
  document.adoptedStyleSheets.push(sheet)
}`

/** The rules that depend on colors; all others give the same results in both themes. */
const dark = { runOnly: ['color-contrast', 'link-in-text-block'] }

/**
 * Returns the findings of axe as lines with rule and first element: of all rules in the light theme, of those about
 * colors in the dark one.
 */
export async function axeFindings(page: Page): Promise<string[]> {
  const light = await findings(page, 'light', {})
  return [...light, ...(await findings(page, 'dark', dark))]
}

async function findings(page: Page, colorScheme: 'light' | 'dark', options: object): Promise<string[]> {
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' })
  return axeOn(page, options)
}

/** Returns the findings of axe in the current state of a page. */
export async function axeOn(page: Page, options: object = {}): Promise<string[]> {
  // The policy of the page forbids scripts from elsewhere, so this one is added by the debugger.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axeSource + withoutTransitions)
  return page.evaluate(async (options) => {
    const { axe, document } = globalThis as unknown as AxeWindow
    // Under an open dialog nothing can be reached or read, so only the dialog is checked.
    const { violations } = await axe.run(document.querySelector('[role=dialog]') ?? document, options)
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`)
  }, options)
}

interface AxeWindow {
  document: { querySelector(selector: string): object | null }
  axe: {
    run(
      within: object,
      options: object,
    ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>
  }
}
