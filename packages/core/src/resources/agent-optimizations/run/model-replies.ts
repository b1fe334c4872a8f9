import * as v from 'valibot'
import { RunFailure } from './model-call.ts'
import type { Candidate } from './run-settings.ts'

const judgeReply = v.strictObject({
  score: v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(1)),
  reason: v.optional(v.string()),
})

const maxInstructionsLength = 100_000

/**
 * Reads the reply of a judge: a JSON object with a score from 0 to 1 and an optional reason, and nothing else.
 *
 * @throws RunFailure `ERRORED` when the reply is something else.
 */
export function readJudgeReply(name: string, text: string): v.InferOutput<typeof judgeReply> {
  const parsed = v.safeParse(judgeReply, parseJson(text))
  if (parsed.success) return parsed.output
  throw new RunFailure('ERRORED', `The reply of ${name} must be a JSON object with a score from 0 to 1`)
}

/**
 * Reads a better candidate: a JSON object with instructions and optionally one of the models to try.
 *
 * @throws RunFailure `ERRORED` when the reply is something else.
 */
export function readVariationReply(text: string, current: Candidate, modelChoices: readonly string[]): Candidate {
  const schema = v.strictObject({
    instructions: v.pipe(v.string(), v.minLength(1), v.maxLength(maxInstructionsLength)),
    model: v.optional(v.picklist(modelChoices as readonly [string, ...string[]])),
  })
  const parsed = v.safeParse(schema, parseJson(text))
  if (parsed.success) return { model: current.model, ...parsed.output }
  const models = modelChoices.length === 0 ? '' : ` and optionally a model, one of ${modelChoices.join(', ')}`
  throw new RunFailure('ERRORED', `The reply with new instructions must be a JSON object with instructions${models}`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
