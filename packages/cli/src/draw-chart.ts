import type { ChartResponse, Measure, SvgOptions } from '@halyard/console/svg'
import { parseChoice, themeOption, writeChart } from './chart-options.ts'
import { cliError } from './cli-error.ts'
import type { Terminal } from './command.ts'
import { openExistingTarget, type TargetValues, targetOptions } from './import/import-target.ts'
import type { OptionDeclaration } from './options.ts'

const day = 86_400_000
const buckets = { hour: 3_600_000, day, week: 7 * day, month: 30 * day }
const bucketNames = ['hour', 'day', 'week', 'month'] as const
const measureNames = ['mean', 'p50', 'p75', 'p90', 'p95', 'p99'] as const satisfies readonly Measure[]

/** The options of every chart. */
export const chartOptions = {
  ...targetOptions,
  project: { ...targetOptions.project, help: 'project of the chart' },
  environment: { ...targetOptions.environment, help: 'environment of the chart' },
  url: { ...targetOptions.url, help: 'read from a running engine at this address instead' },
  from: { type: 'string', help: 'start, as a day in UTC (2026-03-01) or Unix ms; default: 30 days before --to' },
  to: { type: 'string', help: 'end, exclusive; default: now' },
  bucket: { type: 'string', preset: 'day', help: 'one point per hour, day, week or month (30 days)' },
  theme: themeOption,
  out: { type: 'string', help: 'file to write; default: standard output' },
  'group-by': { type: 'string', preset: 'application', help: 'application or kind' },
} as const satisfies Record<string, OptionDeclaration>

/** The options of the lead-time chart. */
export const leadTimeOptions = {
  ...chartOptions,
  'group-by': { ...chartOptions['group-by'], help: 'application or stage' },
  measure: { type: 'string', preset: 'mean', help: 'comma-separated list of mean, p50, p75, p90, p95, p99' },
} as const satisfies Record<string, OptionDeclaration>

type ChartValues = TargetValues & Readonly<Record<keyof typeof chartOptions, string | undefined>>

/**
 * Draws how long changes take to reach an environment, as SVG.
 *
 * @throws CliError for an option with an invalid value.
 */
export async function drawLeadTime(
  { measure, ...values }: ChartValues & { readonly measure: string | undefined },
  terminal: Terminal,
): Promise<void> {
  const measures = (measure as string).split(',').map((name) => parseChoice('--measure', name.trim(), measureNames))
  const groupBy = parseChoice('--group-by', values['group-by'], ['application', 'stage'])
  await draw(values, terminal, {
    name: 'Lead time',
    render: async (api, query, options) => {
      const chart = await api.getLeadTimeChart({ ...query, groupBy, expand: 'percentiles' })
      const { leadTimeSvg } = await import('@halyard/console/svg')
      return leadTimeSvg(chart, options, measures)
    },
  })
}

/**
 * Draws the deployment frequency of an environment, as SVG.
 *
 * @throws CliError for an option with an invalid value.
 */
export async function drawDeploymentFrequency(values: ChartValues, terminal: Terminal): Promise<void> {
  const groupBy = parseChoice('--group-by', values['group-by'], ['application', 'kind'])
  await draw(values, terminal, {
    name: 'Deployment frequency',
    render: async (api, query, options) => {
      const chart = await api.getDeploymentFrequencyChart?.({ ...query, groupBy })
      if (!chart) throw cliError('this engine has no chart of deployment frequency')
      const { deploymentFrequencySvg } = await import('@halyard/console/svg')
      return deploymentFrequencySvg(chart, options)
    },
  })
}

/** The chart operations that an engine has. */
type Charts = Readonly<Record<'getLeadTimeChart', Chart> & Partial<Record<'getDeploymentFrequencyChart', Chart>>>
type Chart = (query: object) => Promise<ChartResponse>

/** A chart, and the function that draws it. */
interface NamedChart {
  readonly name: string
  readonly render: (api: Charts, query: object, options: SvgOptions) => Promise<string>
}

async function draw(values: ChartValues, terminal: Terminal, { name, render }: NamedChart): Promise<void> {
  const { bucket, out } = values
  const theme = parseChoice('--theme', values.theme, ['light', 'dark'])
  const bucketName = parseChoice('--bucket', bucket, bucketNames)
  const bucketType = bucketName === 'hour' || bucketName === 'day' ? bucketName : 'rolling'
  const to = parseTime('--to', values.to) ?? Date.now()
  const from = parseTime('--from', values.from) ?? to - 30 * day
  const target = await openExistingTarget(values)
  try {
    const { projectKey, environmentKey } = target
    const title = `${name}: ${projectKey}, ${environmentKey}, ${dayOf(from)} to ${dayOf(to - 1)}`
    const query = { projectKey, environmentKey, from, to, bucketType, bucketMs: buckets[bucketName] }
    const svg = await render(target.api as Charts, query, { theme, title })
    await writeChart(svg, out, terminal)
  } finally {
    await target.close()
  }
}

function parseTime(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const time = /^\d{5,15}$/.test(text) ? Number(text) : Date.parse(text)
  if (Number.isNaN(time)) throw cliError(`${option} must be a day, a date or Unix milliseconds, not "${text}"`)
  return time
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
