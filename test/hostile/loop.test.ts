import { testHarness } from '../torture/as-test.ts'
import { loop } from './loop.ts'

testHarness(loop)
