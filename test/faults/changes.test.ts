import { testHarness } from '../torture/as-test.ts'
import { changes } from './changes.ts'

testHarness(changes)
