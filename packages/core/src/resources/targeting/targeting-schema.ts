import * as v from 'valibot'
import { list } from '../../operation/schema.ts'
import { wholeWeight } from '../../rules/targeting/serve.ts'
import { clauseResponse } from './clause-schema.ts'

/** Schema of the index of a variation. The flag checks that the variation exists. */
export const variationIndex = () =>
  v.pipe(v.number(), v.integer('must be an integer'), v.minValue(0, 'must not be negative'))

/** Schema of a rollout weight, in thousandths of a percent. */
export const weight = () =>
  v.pipe(
    v.number(),
    v.integer('must be an integer'),
    v.minValue(0, 'must not be negative'),
    v.maxValue(wholeWeight, `must be at most ${wholeWeight}`),
  )

/** Schema of the name of a context attribute. */
export const attributeName = () =>
  v.pipe(v.string(), v.minLength(1, 'must not be empty'), v.maxLength(256, 'must have at most 256 characters'))

/** Schema of the key of a context, such as a user's id or e-mail address. */
export const contextKey = () =>
  v.pipe(v.string(), v.minLength(1, 'must not be empty'), v.maxLength(2048, 'must have at most 2048 characters'))

/** Schema of a list of context keys. */
export const contextKeys = () => list(contextKey())

/** Individually targeted contexts in a response. */
export const targetResponse = v.object({ values: list(v.string()), variation: v.number(), contextKind: v.string() })

/** Properties of a response for what is served: a variation or a rollout. */
export const serveResponse = {
  variation: v.optional(v.number()),
  rollout: v.optional(
    v.object({
      kind: v.optional(v.literal('experiment')),
      seed: v.optional(v.number()),
      variations: list(v.object({ variation: v.number(), weight: v.number(), untracked: v.optional(v.boolean()) })),
      contextKind: v.string(),
      bucketBy: v.optional(v.string()),
    }),
  ),
}

/** A targeting rule in a response. */
export const targetingRuleResponse = v.object({
  _id: v.string(),
  description: v.optional(v.string()),
  ...serveResponse,
  clauses: list(clauseResponse),
  trackEvents: v.boolean(),
})
