import { testHarness } from '../torture/as-test.ts'
import { drain } from './drain.ts'

testHarness(drain)
