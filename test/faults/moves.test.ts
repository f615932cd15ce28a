import { testHarness } from '../torture/as-test.ts'
import { moves } from './moves.ts'

testHarness(moves)
