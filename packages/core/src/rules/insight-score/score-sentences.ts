import { isCalculated } from './rated.ts'
import type { ScoreReasons } from './score-reasons.ts'
import { type InputUnit, insightScoreTable } from './score-table.ts'

/** Formats the explanation of a score as plain sentences. */
export function sentencesOf({ name, score, indicator, inputs, next }: ScoreReasons): string {
  const rating = isCalculated({ indicator }) ? `${name} is ${score} (${indicator})` : `${name} is ${indicator}`
  const causes = inputs.map(({ metric, unit, value, ...rest }) => {
    const { input } = insightScoreTable.metrics[metric]
    return value === undefined ? `${input}: ${rest.indicator}` : `${input}: ${inWords(value, unit)}`
  })
  return [`${rating}.`, `${causes.join('; ')}.`, ...(next ? [stepInWords(next)] : [])].join(' ')
}

function stepInWords({ indicator, score, step }: NonNullable<ScoreReasons['next']>): string {
  if (!step) return `No single metric is enough for ${indicator} (${score}).`
  const { input } = insightScoreTable.metrics[step.metric]
  const bound = step.to > step.from ? 'at least' : 'at most'
  return `For ${indicator} (${score}): ${input} ${bound} ${inWords(step.to, step.unit)}.`
}

const hour = 3_600_000

function inWords(value: number, unit: InputUnit): string {
  switch (unit) {
    case 'perDay':
      return `${short(value)} per day`
    case 'ms':
      return `${short(value / hour)} h`
    case 'share':
      return `${short(value * 100)} %`
  }
}

/** Formats a number with at most three decimal places. */
function short(value: number): string {
  return String(Number(value.toFixed(3)))
}
