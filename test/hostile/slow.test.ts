import { testHarness } from '../torture/as-test.ts'
import { slow } from './slow.ts'

testHarness(slow)
