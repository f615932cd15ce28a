import { testHarness } from '../torture/as-test.ts'
import { idempotency } from './idempotency.ts'

testHarness(idempotency)
