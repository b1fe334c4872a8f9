import type { Flag } from '../../../models/flags/flag.ts'
import type { FlagConfig } from '../../../models/flags/flag-config.ts'
import { type Fault, fail } from '../../../operation/errors.ts'

/** What a patch makes of a flag, before anybody looked whether it holds together. */
export interface FlagChange {
  readonly flag: Flag
  /** The configurations that the patch speaks of, by environment key; variations are numbered as in `flag`. */
  readonly configs: ReadonlyMap<string, FlagConfig>
  readonly comment: string | undefined
  /** Ends the operation with `invalid_request`, naming the parts of the patch that brought the problems about. */
  refuse(problems: readonly Problem[]): never
}

/** A fault of what came out of a patch. */
export interface Problem extends Fault {
  /** Where the attribute is one of a configuration. */
  readonly environmentKey?: string
  /** Whether a state that the patch went through has the problem: how the step that made it is found. */
  shows(flag: Flag, config: FlagConfig | undefined): boolean
}

/** Ends an operation that made problems, each under the name that the caller has for the part. */
export function refusing(attributeOf: (problem: Problem) => string): FlagChange['refuse'] {
  return (problems) => {
    const errors = problems.map((problem) => ({ attribute: attributeOf(problem), reason: problem.reason }))
    return fail('invalid_request', { errors })
  }
}
