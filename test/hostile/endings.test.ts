import { testHarness } from '../torture/as-test.ts'
import { connections } from './endings.ts'

testHarness(connections)
