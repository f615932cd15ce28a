import { testHarness } from '../torture/as-test.ts'
import { clocks } from './clocks.ts'

testHarness(clocks)
