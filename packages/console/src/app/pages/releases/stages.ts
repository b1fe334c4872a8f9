import { readLines } from '../../components/json-text.ts'

/** A stage of a release: the share of contexts in thousandths of a percent, and its duration, ms. */
export interface Stage {
  readonly allocation: number
  readonly durationMillis: number
}

const hour = 3_600_000

/** Reads stages, one in each line: percent and hours. Returns undefined when a line is something else. */
export function readStages(text: string): Stage[] | undefined {
  const stages = readLines(text).map((line) => {
    const [percent = Number.NaN, hours = Number.NaN] = line.split(/\s+/).map(Number)
    return { allocation: Math.round(percent * 1000), durationMillis: Math.round(hours * hour) }
  })
  const isValid = ({ allocation, durationMillis }: Stage) =>
    allocation > 0 && allocation <= 100_000 && durationMillis > 0
  return stages.every(isValid) ? stages : undefined
}

/** Returns a stage as text, e.g. `10 %: 24 h`. */
export function stageText({ allocation, durationMillis }: Stage): string {
  return `${allocation / 1000} %: ${Math.round((durationMillis / hour) * 100) / 100} h`
}
