import { testHarness } from '../torture/as-test.ts'
import { erasure } from './erasure.ts'

testHarness(erasure)
