import { testHarness } from '../torture/as-test.ts'
import { pooler } from './pooler.ts'

testHarness(pooler)
