import { testHarness } from '../torture/as-test.ts'
import { backup } from './backup.ts'

testHarness(backup)
