import { testHarness } from '../torture/as-test.ts'
import { delays } from './delays.ts'

testHarness(delays)
