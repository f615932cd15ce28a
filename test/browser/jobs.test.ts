import { engines } from '../harness/databases.ts'
import { atDesks } from './desk.ts'
import { accessJobs } from './jobs/access.ts'
import { facilityJobs } from './jobs/facilities.ts'
import { logJobs } from './jobs/logs.ts'
import { partnerJobs } from './jobs/partners.ts'
import { roomJobs } from './jobs/rooms.ts'
import { settingsJobs } from './jobs/settings.ts'

/** What each page is for, done as an operator does it; with every engine where it searches, orders, pages or counts. */
atDesks('the console', (desk, engine) => {
  facilityJobs(desk)
  if (engine === engines[0]) for (const jobs of [roomJobs, partnerJobs, accessJobs, settingsJobs]) jobs(desk)
  logJobs(desk)
})
