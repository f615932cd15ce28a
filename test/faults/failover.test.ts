import { testHarness } from '../torture/as-test.ts'
import { failover } from './failover.ts'

testHarness(failover)
