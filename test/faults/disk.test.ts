import { test } from 'node:test'
import { testHarness } from '../torture/as-test.ts'
import { canMount } from './disk/volume.ts'
import { disk } from './disk.ts'

if (canMount()) testHarness(disk)
else test(`disk: ${disk.title}`, (t) => t.skip('this user may not mount a small disk to fill'))
