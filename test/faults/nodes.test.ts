import { testHarness } from '../torture/as-test.ts'
import { nodes } from './nodes.ts'

testHarness(nodes)
