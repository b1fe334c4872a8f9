import type { EvaluationContext } from '../../rules/evaluation/index.ts'
import { clientFlags } from '../../rules/sdk-protocol/client-flags.ts'
import type { Evaluator } from '../evaluation/evaluator.ts'

/** The values of the flags that a client-side SDK may see, for its context, as JSON by flag key. */
export function clientText(evaluator: Evaluator, { context, clientSide, reasons }: ClientQuestion): string {
  const { ruleset } = evaluator
  return ruleset
    ? JSON.stringify(clientFlags(ruleset, evaluator.evaluateAll(context, { clientSide }), { reasons }))
    : '{}'
}

/** What a client-side SDK wants to know. */
export interface ClientQuestion {
  readonly context: EvaluationContext
  readonly clientSide: 'environmentId' | 'mobile'
  readonly reasons: boolean
}
