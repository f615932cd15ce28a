import { parentPort, workerData } from 'node:worker_threads'
import { pointerTo } from '../../domain/json.ts'
import { compileContract, contractFaults, loadContractCompiler } from '../../domain/room/contract.ts'
import { slowPattern } from '../../domain/room/slow-pattern.ts'
import type { ContractTrial, ContractTrialResult } from './contract-trial.ts'

const { contract, samples } = workerData as ContractTrial

loadContractCompiler()
parentPort?.postMessage('ready')
parentPort?.postMessage(run())

function run(): ContractTrialResult {
  try {
    compileContract(contract)
  } catch (error) {
    const message = (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ')
    return { error: message, slow: null, faults: [] }
  }
  const slow = slowPattern(contract)
  if (slow !== undefined) {
    const pointer = slow.path.map(pointerTo).join('')
    return { error: `${pointer} ${slow.detail}`, slow: { pointer, detail: slow.detail }, faults: [] }
  }
  // Restarts the timeout: time spent on the contract's patterns does not count for validating the samples.
  parentPort?.postMessage('ready')
  const faults = samples.map((sample) => contractFaults(contract, sample as object, ''))
  return { error: null, slow: null, faults }
}
