import { engines } from '../harness/databases.ts'
import { atDesks } from './desk.ts'
import { accessJobs } from './jobs/access.ts'
import { facilityJobs } from './jobs/facilities.ts'
import { logJobs } from './jobs/logs.ts'
import { overviewJobs } from './jobs/overview.ts'
import { partnerJobs } from './jobs/partners.ts'
import { roomJobs } from './jobs/rooms.ts'
import { sandboxJobs } from './jobs/sandbox.ts'
import { settingsJobs } from './jobs/settings.ts'
import { stayJobs } from './jobs/stays.ts'
import { webhookJobs } from './jobs/webhooks.ts'

const settings = { ATRIUM_WEBHOOK_ALLOWED_RANGES: '127.0.0.1/32' }

/**
 * Runs the jobs for which each page exists, as an operator does them; on every engine where a page searches, orders,
 * pages or counts.
 */
atDesks(
  'the console',
  (desk, engine) => {
    facilityJobs(desk)
    const once = [roomJobs, stayJobs, partnerJobs, webhookJobs, sandboxJobs, accessJobs, settingsJobs]
    if (engine === engines[0]) for (const jobs of once) jobs(desk)
    logJobs(desk)
    overviewJobs(desk)
  },
  { options: async () => ({ settings }) },
)
