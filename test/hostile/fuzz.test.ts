import { testHarness } from '../torture/as-test.ts'
import { fuzz } from './fuzz.ts'

testHarness(fuzz)
