import { testHarness } from '../torture/as-test.ts'
import { linearizability } from './linearizability.ts'

testHarness(linearizability)
