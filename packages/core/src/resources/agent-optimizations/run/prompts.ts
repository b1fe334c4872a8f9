import { renderPrompt } from '../../../rules/ai-configs/prompt-template.ts'
import type { Attempt, Sample } from './attempt.ts'
import type { ModelMessage } from './model-call.ts'
import type { Criterion, RunSettings } from './run-settings.ts'

const judgeForm =
  'Reply with only a JSON object such as {"score": 0.8, "reason": "…"}: score is a number from 0 to 1, reason is optional.'

/** Returns the messages that ask whether responses fulfill an acceptance statement. */
export function statementMessages(statement: string): readonly ModelMessage[] {
  const task = 'Score how well the response of an agent fulfills this statement: 0 not at all, 1 entirely.'
  return [{ role: 'system', content: `${task}\n\n${statement}` }]
}

/** Returns the messages to the agent. Its instructions are rendered in the same way as those of a served AI config. */
export function agentMessages({ candidate, variables }: Attempt, userInput: string): readonly ModelMessage[] {
  return [
    { role: 'system', content: renderPrompt(candidate.instructions, variables) },
    { role: 'user', content: userInput },
  ]
}

/** Returns the messages to a judge. */
export function judgeMessages(
  { messages }: Criterion,
  { userInput, response = '' }: Sample,
  expected: string | undefined,
): readonly ModelMessage[] {
  const parts = [section('Input', userInput), section('Response', response)]
  if (expected !== undefined) parts.push(section('Expected response', expected))
  return [...messages, { role: 'system', content: judgeForm }, { role: 'user', content: parts.join('\n\n') }]
}

/** Returns the messages that ask for better instructions. */
export function variationMessages(
  { candidate, samples }: Attempt,
  { modelChoices, aims }: Pick<RunSettings, 'modelChoices' | 'aims'>,
): readonly ModelMessage[] {
  const form =
    modelChoices.length === 0
      ? 'Reply with only a JSON object such as {"instructions": "…"}.'
      : `Reply with only a JSON object such as {"instructions": "…", "model": "…"}: model is optional and one of ${modelChoices.join(', ')}.`
  const task = 'Improve the instructions of an agent so that its responses reach the thresholds of all judges.'
  const failed = samples.findLast(({ judgments }) => judgments.some(({ passed }) => !passed)) ?? samples[0]
  const judgments = failed.judgments.map(
    ({ criterion, score, threshold, reason }) =>
      `- ${criterion}: ${score}, threshold ${threshold}${reason === undefined ? '' : ` (${reason})`}`,
  )
  const parts = [
    section('Model', candidate.model),
    section('Instructions', candidate.instructions),
    section('Input', failed.userInput),
    section('Response', failed.response ?? ''),
    section('Scores', judgments.join('\n')),
  ]
  return [
    { role: 'system', content: [task, ...aims, 'Keep placeholders such as {{name}}.', form].join('\n') },
    { role: 'user', content: parts.join('\n\n') },
  ]
}

const section = (title: string, content: string) => `${title}:\n${content}`
