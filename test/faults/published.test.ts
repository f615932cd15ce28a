import { testHarness } from '../torture/as-test.ts'
import { published } from './published.ts'

testHarness(published)
