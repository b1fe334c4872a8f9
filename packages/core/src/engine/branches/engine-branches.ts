import type { BranchEngine } from '../../engine-interface.ts'
import type { Operation } from '../../operation/operation.ts'
import type { BranchAccounts, BranchOptions } from './branch-accounts.ts'

/** The branches of an engine. */
export interface EngineBranches<O extends Operation> {
  readonly accounts: BranchAccounts
  /** Returns the engine of a branch, and creates the branch if it does not exist. */
  open(name: string, options?: BranchOptions): Promise<BranchEngine<O>>
  /** Returns the engine of a branch that exists. */
  find(name: string): Promise<BranchEngine<O> | undefined>
  /** Returns the engines that are open. */
  opened(): readonly BranchEngine<O>[]
  close(): Promise<void>
}
