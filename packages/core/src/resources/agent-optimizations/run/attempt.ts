import type { RunCosts } from './model-call.ts'
import type { Candidate, RunSettings } from './run-settings.ts'

/** The score that a judge gave to a response. */
export interface Judgment {
  readonly criterion: string
  readonly score: number
  readonly threshold: number
  readonly passed: boolean
  readonly reason?: string | undefined
}

/** One input of the agent, with the agent's response and the scores that the judges give to the response. */
export interface Sample {
  readonly userInput: string
  readonly response?: string | undefined
  readonly judgments: readonly Judgment[]
}

/** One iteration of a run: a candidate with everything that is known about it. */
export interface Attempt {
  readonly resultId: string
  readonly iteration: number
  readonly candidate: Candidate
  readonly variables: Readonly<Record<string, unknown>>
  /** The first sample decides whether further samples are taken, which validate the candidate. */
  readonly samples: readonly [Sample, ...Sample[]]
  /** The next candidate, with the costs of its generation. */
  readonly variation?: (Candidate & { readonly costs: RunCosts }) | undefined
  readonly generationCosts?: RunCosts | undefined
  /** Costs of judges and of the responses that validate the candidate. */
  readonly evaluationCosts: RunCosts
}

/** The next step of an attempt. */
export type Step =
  | { readonly do: 'generate'; readonly sample: number }
  | { readonly do: 'judge'; readonly sample: number; readonly criterion: number }
  | { readonly do: 'vary' }
  | { readonly do: 'pass' }
  /** The run ends with `reason`. Without a reason, another attempt follows. */
  | { readonly do: 'fail'; readonly reason?: string }

/**
 * Determines the next step of an attempt from its stored results, so that an interrupted run continues at the same
 * step.
 */
export function nextStep(
  { samples, iteration, variation }: Attempt,
  { inputs, criteria, maxAttempts }: Pick<RunSettings, 'inputs' | 'criteria' | 'maxAttempts'>,
): Step {
  for (let index = 0; index < inputs.length; index++) {
    const sample = samples[index]
    if (sample?.response === undefined) return { do: 'generate', sample: index }
    if (sample.judgments.length < criteria.length) {
      return { do: 'judge', sample: index, criterion: sample.judgments.length }
    }
    if (sample.judgments.every(({ passed }) => passed)) continue
    if (variation) return { do: 'fail' }
    return iteration < maxAttempts
      ? { do: 'vary' }
      : { do: 'fail', reason: `No response reached all thresholds in ${maxAttempts} attempts` }
  }
  return { do: 'pass' }
}

/** Returns the attempt with another version of one sample. */
export function withSample(attempt: Attempt, index: number, sample: Sample): Attempt {
  const [first, ...others] = attempt.samples
  return { ...attempt, samples: index === 0 ? [sample] : [first, ...others.slice(0, index - 1), sample] }
}
