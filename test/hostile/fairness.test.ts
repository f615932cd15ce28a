import { testHarness } from '../torture/as-test.ts'
import { fairness } from './fairness.ts'

testHarness(fairness)
