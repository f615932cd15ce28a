import { testHarness } from '../torture/as-test.ts'
import { supply } from './supply.ts'

testHarness(supply)
