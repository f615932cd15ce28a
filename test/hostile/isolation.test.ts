import { testHarness } from '../torture/as-test.ts'
import { isolation } from './isolation.ts'

testHarness(isolation)
