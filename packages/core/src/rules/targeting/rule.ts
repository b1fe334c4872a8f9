import type { Clause } from './clause.ts'

/**
 * One of an ordered list of rules: the first whose clauses all match decides. Flags and segments add what it decides.
 */
export interface Rule {
  readonly _id: string
  readonly clauses: readonly Clause[]
  readonly description?: string
}
