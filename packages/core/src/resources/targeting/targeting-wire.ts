import * as v from 'valibot'
import { list } from '../../operation/schema.ts'
import { wholeWeight } from '../../rules/targeting/serve.ts'
import { clauseWire } from './clause-wire.ts'

/** The index of a variation; whether there is one is known to the thing that has it. */
export const variationIndex = () =>
  v.pipe(v.number(), v.integer('must be an integer'), v.minValue(0, 'must not be negative'))

/** A share in thousandths of a percent. */
export const weight = () =>
  v.pipe(
    v.number(),
    v.integer('must be an integer'),
    v.minValue(0, 'must not be negative'),
    v.maxValue(wholeWeight, `must be at most ${wholeWeight}`),
  )

/** The name of an attribute of a context. */
export const attributeName = () =>
  v.pipe(v.string(), v.minLength(1, 'must not be empty'), v.maxLength(256, 'must have at most 256 characters'))

/** The key of a context, such as a user's id or e-mail address. */
export const contextKey = () =>
  v.pipe(v.string(), v.minLength(1, 'must not be empty'), v.maxLength(2048, 'must have at most 2048 characters'))

/** Keys of contexts. */
export const contextKeys = () => list(contextKey())

/** Contexts named one by one, in an answer. */
export const targetWire = v.object({ values: list(v.string()), variation: v.number(), contextKind: v.string() })

/** What is served, in an answer: a variation or a rollout. */
export const serveWire = {
  variation: v.optional(v.number()),
  rollout: v.optional(
    v.object({
      variations: list(v.object({ variation: v.number(), weight: v.number() })),
      contextKind: v.string(),
      bucketBy: v.optional(v.string()),
    }),
  ),
}

/** A rule of a targeting, in an answer. */
export const targetingRuleWire = v.object({
  _id: v.string(),
  description: v.optional(v.string()),
  ...serveWire,
  clauses: list(clauseWire),
  trackEvents: v.boolean(),
})
