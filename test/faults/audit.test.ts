import { testHarness } from '../torture/as-test.ts'
import { audit } from './audit.ts'

testHarness(audit)
