import * as v from 'valibot'
import { dictionary, key, list, name, text } from '../../operation/schema.ts'
import { contextKind } from '../targeting/clause-schema.ts'
import { attributeName } from '../targeting/targeting-schema.ts'

/** Schema of a percentage as text, such as `33.333`: 0 to 100 with at most three decimals. */
export const percentage = () =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,3}(\.\d{1,3})?$/, 'must be a number from 0 to 100 with at most three decimals, as text'),
    v.transform(Number),
    v.maxValue(100, 'must be at most 100'),
  )

/** Schema of metrics in a request. */
export const metricsRequest = () =>
  v.pipe(
    list(
      v.strictObject({
        key: key(),
        isGroup: v.optional(v.boolean(), false),
        /** Earlier form of `primarySingleMetricKey` and `primaryFunnelKey`. */
        primary: v.optional(v.boolean()),
      }),
    ),
    v.maxLength(50, 'must contain at most 50 metrics'),
    v.check(
      (metrics) => new Set(metrics.map((metric) => `${metric.isGroup} ${metric.key}`)).size === metrics.length,
      'must not repeat a metric',
    ),
  )

/** Schema of attributes by which results can be split. */
export const attributesRequest = () =>
  v.pipe(
    list(attributeName()),
    v.maxLength(10, 'must contain at most 10 attributes'),
    v.check((names) => new Set(names).size === names.length, 'must not repeat an attribute'),
  )

const treatment = v.strictObject({
  name: name(),
  baseline: v.boolean(),
  allocationPercent: percentage(),
  parameters: v.pipe(
    list(v.strictObject({ flagKey: key(), variationId: v.string() })),
    v.length(1, 'must contain 1 flag with its variation'),
  ),
})

/** Schema of the version of a configuration. */
const configVersion = () => v.pipe(v.number(), v.integer('must be an integer'), v.minValue(0, 'must not be negative'))

/** Request body of an iteration. */
export const iterationRequest = v.strictObject({
  hypothesis: text(),
  canReshuffleTraffic: v.optional(v.boolean(), true),
  metrics: metricsRequest(),
  primarySingleMetricKey: v.optional(key()),
  primaryFunnelKey: v.optional(key()),
  treatments: v.pipe(
    list(treatment),
    v.minLength(2, 'must contain at least 2 treatments'),
    v.maxLength(20, 'must contain at most 20 treatments'),
  ),
  flags: v.pipe(
    dictionary(
      key(),
      v.strictObject({
        ruleId: v.string(),
        flagConfigVersion: configVersion(),
        notInExperimentVariationId: v.optional(v.string()),
      }),
    ),
    v.check((flags) => Object.keys(flags).length === 1, 'must contain one flag or AI config'),
  ),
  randomizationUnit: v.optional(contextKind()),
  attributes: v.optional(attributesRequest(), []),
})

export type IterationRequest = v.InferOutput<typeof iterationRequest>
