import * as v from 'valibot'
import { fail } from '../../../operation/errors.ts'
import type { OptimizationResult } from '../optimization-result.ts'
import type { Attempt, Judgment, Sample, Step } from './attempt.ts'
import { noCosts, type RunCosts } from './model-call.ts'
import type { ResultChange, StoredResult } from './optimizer-api.ts'

const judgment = v.object({
  criterion: v.string(),
  score: v.number(),
  threshold: v.number(),
  passed: v.boolean(),
  reason: v.optional(v.string()),
})

const storedTokens = v.object({ total: v.number(), cost: v.number() })

/** The parts of a result that a run writes and that operations accept as any JSON object. */
const storedParts = v.object({
  parameters: v.object({ model: v.string(), variables: v.record(v.string(), v.unknown()) }),
  scores: v.optional(
    v.object({
      judgments: v.array(judgment),
      validation: v.array(
        v.object({
          userInput: v.string(),
          completionResponse: v.optional(v.string()),
          judgments: v.array(judgment),
        }),
      ),
    }),
  ),
  variation: v.optional(
    v.object({ instructions: v.string(), model: v.string(), tokens: v.number(), cost: v.number(), ms: v.number() }),
  ),
  generationTokens: v.optional(storedTokens),
  evaluationTokens: v.optional(storedTokens),
  evaluationLatencies: v.optional(v.object({ total: v.number() })),
})

/**
 * Returns the attempt that a result describes.
 *
 * @throws ApiError `invalid_request` when another program has written the result.
 */
export function attemptOf(result: StoredResult): Attempt {
  const parsed = v.safeParse(storedParts, result)
  if (!parsed.success) {
    const reason = 'must be the id of a run that runOptimization has started'
    return fail('invalid_request', { errors: [{ attribute: 'runId', reason }] })
  }
  const { parameters, scores, variation, generationTokens, evaluationTokens, evaluationLatencies } = parsed.output
  const validation = (scores?.validation ?? []).map(
    ({ userInput, completionResponse, judgments }): Sample => ({ userInput, response: completionResponse, judgments }),
  )
  const first = {
    userInput: result.userInput,
    response: result.completionResponse,
    judgments: scores?.judgments ?? [],
  }
  return {
    resultId: result.id,
    iteration: result.iteration,
    candidate: { instructions: result.instructions, model: parameters.model },
    variables: parameters.variables,
    samples: [first, ...validation],
    variation: variation && {
      instructions: variation.instructions,
      model: variation.model,
      costs: { tokens: variation.tokens, cost: variation.cost, ms: variation.ms },
    },
    generationCosts: generationTokens && costsOf(generationTokens, result.generationLatency),
    evaluationCosts: evaluationTokens ? costsOf(evaluationTokens, evaluationLatencies?.total) : noCosts,
  }
}

function costsOf({ total, cost }: { readonly total: number; readonly cost: number }, ms = 0): RunCosts {
  return { tokens: total, cost, ms }
}

/** Returns the properties of the result that describe an attempt. */
export function changeOf({ samples, variation, generationCosts, evaluationCosts }: Attempt): ResultChange {
  const [{ response, judgments }, ...validation] = samples
  const change: ResultChange = {
    completionResponse: response,
    scores:
      judgments.length === 0
        ? undefined
        : { judgments: judgments.map(storedJudgment), validation: validation.map(storedSample) },
    variation: variation && {
      instructions: variation.instructions,
      model: variation.model,
      ...variation.costs,
    },
    generationTokens: generationCosts && { total: generationCosts.tokens, cost: generationCosts.cost },
    generationLatency: generationCosts?.ms,
    evaluationTokens: { total: evaluationCosts.tokens, cost: evaluationCosts.cost },
    evaluationLatencies: { total: evaluationCosts.ms },
  }
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}

function storedSample({ userInput, response, judgments }: Sample) {
  return {
    userInput,
    ...(response === undefined ? {} : { completionResponse: response }),
    judgments: judgments.map(storedJudgment),
  }
}

function storedJudgment({ reason, ...judgment }: Judgment) {
  return { ...judgment, ...(reason === undefined ? {} : { reason }) }
}

/** Returns the activity of a result while a step is performed. */
export function activityOf(step: Step): OptimizationResult['activity'] {
  switch (step.do) {
    case 'generate':
      return step.sample === 0 ? 'GENERATING' : 'VALIDATING'
    case 'judge':
      return step.sample === 0 ? 'EVALUATING' : 'VALIDATING'
    case 'vary':
      return 'GENERATING_VARIATION'
    default:
      return 'COMPLETED'
  }
}
