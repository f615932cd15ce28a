import { testHarness } from '../torture/as-test.ts'
import { upgrade } from './upgrade.ts'

testHarness(upgrade)
