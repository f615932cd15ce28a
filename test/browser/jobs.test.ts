import { atDesks } from './desk.ts'
import { accessJobs } from './jobs/access.ts'
import { facilityJobs } from './jobs/facilities.ts'
import { logJobs } from './jobs/logs.ts'
import { partnerJobs } from './jobs/partners.ts'
import { roomJobs } from './jobs/rooms.ts'
import { settingsJobs } from './jobs/settings.ts'

/** What each page is for, done as an operator does it. */
atDesks('the console', (desk) => {
  facilityJobs(desk)
  roomJobs(desk)
  partnerJobs(desk)
  accessJobs(desk)
  logJobs(desk)
  settingsJobs(desk)
})
