import { type Attempt, type Step, withSample } from './attempt.ts'
import { addCosts, RunFailure } from './model-call.ts'
import type { ModelCaller } from './model-caller.ts'
import { readJudgeReply, readVariationReply } from './model-replies.ts'
import { agentMessages, judgeMessages, variationMessages } from './prompts.ts'
import type { Criterion, RunSettings } from './run-settings.ts'

type CallingStep = Extract<Step, { readonly do: 'generate' | 'judge' | 'vary' }>

/** An attempt after a model call, with the reason why the reply could not be used, if it could not. */
export interface StepResult {
  readonly attempt: Attempt
  readonly failure?: RunFailure
}

/** The models that a step calls, and the settings of the run. */
export interface StepSetup {
  readonly caller: ModelCaller
  readonly settings: RunSettings
}

/**
 * Performs the model call of a step.
 *
 * @throws RunFailure when the call itself fails, and the reason of the signal when the run is aborted.
 */
export function performStep(setup: StepSetup, attempt: Attempt, step: CallingStep): Promise<StepResult> {
  const { caller, settings } = setup
  if (step.do === 'generate') return generate(setup, attempt, step.sample)
  if (step.do === 'judge') return judge(setup, attempt, step)
  return vary(caller, settings, attempt)
}

async function generate({ caller, settings }: StepSetup, attempt: Attempt, index: number): Promise<StepResult> {
  const { iteration, candidate } = attempt
  const userInput = attempt.samples[index]?.userInput ?? inputAfter(settings, attempt, index)
  const { text, costs } = await caller.call(`response of attempt ${iteration}`, {
    purpose: 'generate',
    model: candidate.model,
    messages: agentMessages(attempt, userInput),
    parameters: settings.modelParameters,
    attempt: iteration,
  })
  const charged =
    index === 0
      ? { ...attempt, generationCosts: costs }
      : { ...attempt, evaluationCosts: addCosts(attempt.evaluationCosts, costs) }
  return { attempt: withSample(charged, index, { userInput, response: text, judgments: [] }) }
}

/**
 * Returns the input of a sample: samples use the inputs in their order, beginning with the input of the first sample.
 */
function inputAfter({ inputs }: RunSettings, { samples }: Attempt, index: number): string {
  const first = inputs.findIndex(({ text }) => text === samples[0].userInput)
  return inputs[(first + index) % inputs.length]?.text ?? ''
}

async function judge(
  { caller, settings: { criteria, inputs, judgeModel } }: StepSetup,
  attempt: Attempt,
  step: Extract<Step, { readonly do: 'judge' }>,
): Promise<StepResult> {
  const criterion = criteria[step.criterion] as Criterion
  const sample = attempt.samples[step.sample] as Attempt['samples'][0]
  const { name, threshold, isInverted } = criterion
  const expected = inputs.find(({ text }) => text === sample.userInput)?.expected
  const { text, costs } = await caller.call(`${name} in attempt ${attempt.iteration}`, {
    purpose: 'judge',
    model: judgeModel,
    messages: judgeMessages(criterion, sample, expected),
    parameters: {},
    attempt: attempt.iteration,
  })
  const charged = { ...attempt, evaluationCosts: addCosts(attempt.evaluationCosts, costs) }
  return read(charged, () => {
    const { score, reason } = readJudgeReply(name, text)
    const passed = isInverted ? score <= threshold : score >= threshold
    const judgments = [...sample.judgments, { criterion: name, score, threshold, passed, reason }]
    return withSample(charged, step.sample, { ...sample, judgments })
  })
}

async function vary(caller: ModelCaller, settings: RunSettings, attempt: Attempt): Promise<StepResult> {
  const { text, costs } = await caller.call(`variation after attempt ${attempt.iteration}`, {
    purpose: 'vary',
    model: settings.judgeModel,
    messages: variationMessages(attempt, settings),
    parameters: {},
    attempt: attempt.iteration,
  })
  const failed = { ...attempt, evaluationCosts: addCosts(attempt.evaluationCosts, costs) }
  return read(failed, () => ({
    ...attempt,
    variation: { ...readVariationReply(text, attempt.candidate, settings.modelChoices), costs },
  }))
}

/** Reads a reply. The costs of a reply that cannot be used are added to the attempt as well. */
function read(charged: Attempt, complete: () => Attempt): StepResult {
  try {
    return { attempt: complete() }
  } catch (error) {
    if (error instanceof RunFailure) return { attempt: charged, failure: error }
    throw error
  }
}
