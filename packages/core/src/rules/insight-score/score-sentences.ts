import { isCalculated } from './rating.ts'
import type { ScoreReasons } from './score-reasons.ts'
import { type InputUnit, insightScoreTable } from './score-table.ts'

/** Formats the explanation of a score as plain sentences. */
export function sentencesOf({ name, score, indicator, inputs, next }: ScoreReasons): string {
  const ratingText = isCalculated({ indicator }) ? `${name} is ${score} (${indicator})` : `${name} is ${indicator}`
  const inputTexts = inputs.map(({ metric, unit, value, ...rating }) => {
    const { input } = insightScoreTable.metrics[metric]
    return value === undefined ? `${input}: ${rating.indicator}` : `${input}: ${formatValue(value, unit)}`
  })
  return [`${ratingText}.`, `${inputTexts.join('; ')}.`, ...(next ? [stepText(next)] : [])].join(' ')
}

function stepText({ indicator, score, step }: NonNullable<ScoreReasons['next']>): string {
  if (!step) return `No single metric is enough for ${indicator} (${score}).`
  const { input } = insightScoreTable.metrics[step.metric]
  const comparison = step.to > step.from ? 'at least' : 'at most'
  return `For ${indicator} (${score}): ${input} ${comparison} ${formatValue(step.to, step.unit)}.`
}

const hour = 3_600_000

function formatValue(value: number, unit: InputUnit): string {
  switch (unit) {
    case 'perDay':
      return `${formatNumber(value)} per day`
    case 'ms':
      return `${formatNumber(value / hour)} h`
    case 'share':
      return `${formatNumber(value * 100)} %`
  }
}

/** Formats a number with at most three decimal places. */
function formatNumber(value: number): string {
  return String(Number(value.toFixed(3)))
}
