import { testHarness } from '../torture/as-test.ts'
import { existence } from './existence.ts'

testHarness(existence)
