import type { Flag } from '../../../models/flags/flag.ts'
import type { FlagConfig } from '../../../models/flags/flag-config.ts'
import { fail, type ValidationError } from '../../../operation/errors.ts'
import type { Sentence } from '../../../rules/sentences/sentence.ts'

/** The result of a patch of a flag, before it is validated. */
export interface FlagChange {
  readonly flag: Flag
  /** The configurations that the patch changes, by environment key. Variations are numbered as in `flag`. */
  readonly configs: ReadonlyMap<string, FlagConfig>
  readonly comment: string | undefined
  /** Sentences about the instructions, for the change log. Default: those that follow from the changed properties. */
  readonly sentences?: FlagSentences
  /** True when the change starts or ends an iteration of an experiment. Other changes cannot do this. Default false. */
  readonly byExperiment?: boolean
  /** Id of the automated release of which this change is a step. */
  readonly stepOf?: string
  /** True for a change that writes an earlier state again. Release policies do not apply to it. */
  readonly restores?: boolean
  /** Rejects the request with `invalid_request`, naming the parts of the patch that caused the problems. */
  refuse(problems: readonly Problem[]): never
}

/** Sentences about the flag, and about its configuration in the environment of the patch. */
export interface FlagSentences {
  readonly flag: readonly Sentence[]
  readonly config: readonly Sentence[]
}

/** A validation error of the result of a patch. */
export interface Problem extends ValidationError {
  /** Set when the attribute belongs to a configuration. */
  readonly environmentKey?: string
  /** Tests whether an intermediate state has the problem. This identifies the instruction that caused it. */
  existsIn(flag: Flag, config: FlagConfig | undefined): boolean
}

/**
 * Returns a function that rejects the request. It reports each problem under the name that the caller uses for the
 * part.
 */
export function refuseWith(attributeOf: (problem: Problem) => string): FlagChange['refuse'] {
  return (problems) => {
    const errors = problems.map((problem) => ({ attribute: attributeOf(problem), reason: problem.reason }))
    return fail('invalid_request', { errors })
  }
}
