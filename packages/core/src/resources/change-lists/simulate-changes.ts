import * as v from 'valibot'
import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { anyObject, list } from '../../operation/schema.ts'
import type { EvaluationContext } from '../../rules/evaluation/subject.ts'
import { keysOfContext } from '../../rules/sdk-protocol/sdk-events.ts'
import { aiContent } from '../ai-evaluation/ai-content.ts'
import { maxContexts } from '../simulation/read-simulation.ts'
import { type SimulatedEffect, simulatedEffects } from '../simulation/simulated-effects.ts'
import type { SimulatedVariation } from '../simulation/simulation.ts'
import { validContext } from '../targeting/evaluated-context.ts'
import { knownContexts } from './known-contexts.ts'
import { listedChanges } from './listed-changes.ts'

/** Maximum number of contexts that are named for each flag. */
const maxNamed = 20

const result = v.object({
  variation: v.nullable(v.number()),
  value: v.optional(v.unknown()),
  reason: v.string(),
})

export const simulateChanges = operation({
  id: 'simulateChanges',
  summary:
    'Show what a list of changes would do, which contexts would get another variation, and what requires approval',
  method: 'POST',
  path: '/api/v2/changes/simulation',
  body: jsonBody(
    v.strictObject({
      changes: listedChanges(),
      contexts: v.optional(
        v.pipe(
          v.array(v.pipe(anyObject(), validContext())),
          v.maxLength(maxContexts, `must contain at most ${maxContexts} contexts`),
        ),
      ),
    }),
  ),
  success: {
    status: 200,
    body: v.object({
      items: list(
        v.object({ operation: v.string(), sentences: list(v.string()), requiresApproval: v.optional(v.string()) }),
      ),
      evaluatedContexts: v.number(),
      effects: list(
        v.object({
          projectKey: v.string(),
          environmentKey: v.string(),
          kind: v.picklist(['flag', 'aiconfig']),
          key: v.string(),
          name: v.string(),
          evaluated: v.number(),
          changed: v.number(),
          contexts: list(v.object({ keys: v.record(v.string(), v.string()), before: result, after: result })),
        }),
      ),
    }),
  },
  dry: true,
  combines: true,
  errors: ['invalid_request', 'forbidden', 'not_found', 'method_not_allowed', 'optimistic_locking_error'],
  access: { open: true, why: 'each change is authorized as a call of its own operation' },
  async handle(context, { body: { changes, contexts } }) {
    const simulated = await context.simulateChanges({ changes })
    const { effects, evaluated } = await simulatedEffects(simulated, {
      served: aiContent,
      host: context.useHost(),
      contexts: contexts as readonly EvaluationContext[] | undefined,
      knownContexts: (environment) => knownContexts(context, environment),
    })
    return {
      items: simulated.results.map(({ operation: id, sentences, approval }) => ({
        operation: id,
        sentences,
        ...(approval !== undefined && { requiresApproval: approval }),
      })),
      evaluatedContexts: evaluated,
      effects: effects.map(serializeEffect),
    }
  },
})

function serializeEffect({ contexts, evaluated, ...effect }: SimulatedEffect) {
  const { projectKey, environmentKey, kind, key, name, changed } = effect
  return {
    projectKey,
    environmentKey,
    kind,
    key,
    name,
    evaluated: evaluated.length,
    changed,
    contexts: contexts.slice(0, maxNamed).map(({ index, before, after }) => ({
      keys: keysOfContext(evaluated[index] as EvaluationContext) ?? {},
      before: serializeResult(before),
      after: serializeResult(after),
    })),
  }
}

function serializeResult({ variationIndex, value, reason }: SimulatedVariation) {
  return { variation: variationIndex, ...(value !== undefined && { value }), reason: reason.kind }
}
