import type { EvaluationContext } from '../../rules/evaluation/index.ts'
import { clientFlags } from '../../rules/sdk-protocol/client-flags.ts'
import type { Evaluator } from '../evaluation/evaluator.ts'

/** Returns the values of the flags that are available to a client-side SDK, for its context, as JSON by flag key. */
export function clientText(evaluator: Evaluator, { context, clientSide, reasons }: ClientQuery): string {
  const { ruleset } = evaluator
  return ruleset
    ? JSON.stringify(clientFlags(ruleset, evaluator.evaluateAll(context, { clientSide }), { reasons }))
    : '{}'
}

/** Query of a client-side SDK. */
export interface ClientQuery {
  readonly context: EvaluationContext
  readonly clientSide: 'environmentId' | 'mobile'
  readonly reasons: boolean
}
