import { testHarness } from '../torture/as-test.ts'
import { sockets } from './sockets.ts'

testHarness(sockets)
