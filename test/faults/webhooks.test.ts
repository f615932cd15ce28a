import { testHarness } from '../torture/as-test.ts'
import { webhooks } from './webhooks.ts'

testHarness(webhooks)
