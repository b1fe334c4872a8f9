import type { Clause } from './clause.ts'

/**
 * A rule of an ordered list: the first rule whose clauses all match decides. Flags and segments add properties for the
 * outcome.
 */
export interface Rule {
  readonly _id: string
  readonly clauses: readonly Clause[]
  readonly description?: string
}
