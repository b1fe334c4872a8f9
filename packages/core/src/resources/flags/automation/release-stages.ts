import * as v from 'valibot'
import { list } from '../../../operation/schema.ts'
import { weight } from '../../targeting/targeting-schema.ts'

const maxStages = 100

/** Maximum duration of a stage, in ms: a year. */
const maxDuration = 366 * 24 * 3_600_000

const duration = v.pipe(
  v.number(),
  v.safeInteger('must be an integer'),
  v.minValue(0, 'must not be negative'),
  v.maxValue(maxDuration, `must be at most ${maxDuration}`),
)

/** Stages of a release in a request: allocations in thousandths of a percent that do not decrease, durations in ms. */
export const releaseStages = () =>
  v.pipe(
    list(v.strictObject({ allocation: weight(), durationMillis: duration })),
    v.maxLength(maxStages, `must contain at most ${maxStages} stages`),
    v.check(
      (stages) => stages.every(({ allocation }, index) => allocation >= (stages[index - 1]?.allocation ?? 0)),
      'must have allocations that do not decrease',
    ),
  )
