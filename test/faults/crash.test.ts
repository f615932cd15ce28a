import { testHarness } from '../torture/as-test.ts'
import { crash } from './crash.ts'

testHarness(crash)
