import { testHarness } from '../torture/as-test.ts'
import { ids } from './ids.ts'

testHarness(ids)
