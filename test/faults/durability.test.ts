import { testHarness } from '../torture/as-test.ts'
import { durability } from './durability.ts'

testHarness(durability)
