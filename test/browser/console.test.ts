import { TestOpenIdProvider } from '../harness/openid-provider.ts'
import { freePort } from '../harness/postgres-program.ts'
import { atDesks } from './desk.ts'
import { estateFileJobs } from './jobs/estate-file.ts'
import { keyboardJobs } from './jobs/keyboard.ts'
import { signInJobs } from './jobs/sign-in.ts'
import { singleSignOnJobs } from './jobs/single-sign-on.ts'

const provider = await new TestOpenIdProvider().start()

async function withProvider() {
  const port = String(await freePort())
  return { settings: { ATRIUM_PORT: port, ...provider.settings(`http://127.0.0.1:${port}`) } }
}

/** Checks what is the same on every engine: what each role sees, and that the keyboard suffices. */
atDesks(
  'the console',
  (desk) => {
    signInJobs(desk)
    singleSignOnJobs(desk, provider)
    keyboardJobs(desk)
    estateFileJobs(desk)
  },
  { which: ['sqlite'], options: withProvider },
)
