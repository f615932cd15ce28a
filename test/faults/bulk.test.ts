import { testHarness } from '../torture/as-test.ts'
import { bulk } from './bulk.ts'

testHarness(bulk)
