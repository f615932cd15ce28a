import { testHarness } from '../torture/as-test.ts'
import { tokens } from './tokens.ts'

testHarness(tokens)
