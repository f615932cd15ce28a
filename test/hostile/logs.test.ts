import { testHarness } from '../torture/as-test.ts'
import { logs } from './logs.ts'

testHarness(logs)
