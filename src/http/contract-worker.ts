import { parentPort, workerData } from 'node:worker_threads'
import { compileContract, contractFaults, prepareForContracts } from '../domain/contract.ts'
import type { ContractTrial, TriedContract } from './contract-apart.ts'

const { contract, samples } = workerData as ContractTrial

prepareForContracts()
parentPort?.postMessage('ready')
parentPort?.postMessage(tried())

function tried(): TriedContract {
  try {
    compileContract(contract)
  } catch (error) {
    return { error: (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' '), faults: [] }
  }
  return { error: null, faults: samples.map((sample) => contractFaults(contract, sample as object, '')) }
}
