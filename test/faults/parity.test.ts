import { testHarness } from '../torture/as-test.ts'
import { parity } from './parity.ts'

testHarness(parity)
