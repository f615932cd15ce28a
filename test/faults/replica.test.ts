import { testHarness } from '../torture/as-test.ts'
import { replica } from './replica.ts'

testHarness(replica)
