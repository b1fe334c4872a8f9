import type { SvgOptions } from '@halyard/console/svg'
import type { BoundApi } from '@halyard/core'
import { parseChoice, themeOption, writeChart } from './chart-options.ts'
import { cliError } from './cli-error.ts'
import type { Terminal } from './command.ts'
import { openExistingTarget, targetOptions } from './import/import-target.ts'
import type { OptionDeclaration, ReadOptions } from './options.ts'

const resultOptions = {
  storage: targetOptions.storage,
  url: { ...targetOptions.url, help: 'read from a running engine at this address instead' },
  token: targetOptions.token,
  theme: themeOption,
  out: { type: 'string', help: 'file to write; default: standard output' },
} as const satisfies Record<string, OptionDeclaration>

/** The options of the chart of an experiment. */
export const experimentOptions = {
  ...resultOptions,
  iteration: { type: 'string', help: 'id of an iteration; default: the one that started last' },
  method: { type: 'string', preset: 'bayesian', help: 'bayesian, frequentist or sequential' },
  level: { type: 'string', preset: '0.05', help: 'probability that an interval misses the true difference' },
} as const satisfies Record<string, OptionDeclaration>

/** The options of the chart of a release. */
export const releaseOptions = {
  ...resultOptions,
  release: { type: 'string', help: 'id of a release; default: the one that started last' },
} as const satisfies Record<string, OptionDeclaration>

type ResultValues = Readonly<Record<keyof typeof resultOptions, string | undefined>>

/**
 * Draws the results of an experiment as SVG: an interval for each metric and treatment, and the cumulative difference
 * of the primary metric over time.
 *
 * @throws CliError for an argument or an option with an invalid value.
 */
export async function drawExperiment(
  { values, positionals }: ReadOptions<keyof typeof experimentOptions>,
  terminal: Terminal,
): Promise<void> {
  const [projectKey, environmentKey, experimentKey] = threeKeys(positionals, 'a project, an environment, an experiment')
  const method = parseChoice('--method', values.method, ['bayesian', 'frequentist', 'sequential'])
  const { iteration, level } = values
  await draw(values, { projectKey, environmentKey }, terminal, async (api, options) => {
    const keys = { projectKey, environmentKey, experimentKey }
    const { name } = await api.getExperiment(keys)
    const results = await api.getExperimentAnalysis({
      ...keys,
      method,
      level: level as string,
      ...(iteration === undefined ? {} : { iterationId: iteration }),
      expand: ['days'],
    })
    const { experimentChart, experimentSvg } = await import('@halyard/console/svg')
    return experimentSvg(experimentChart(results), { ...options, title: `Experiment ${name}: ${results.status}` })
  })
}

/**
 * Draws an automated release as SVG: its stages over time, and an interval for each metric of a guarded release.
 *
 * @throws CliError for an argument or an option with an invalid value, or when there is no such release.
 */
export async function drawRelease(
  { values, positionals }: ReadOptions<keyof typeof releaseOptions>,
  terminal: Terminal,
): Promise<void> {
  const [projectKey, flagKey, environmentKey] = threeKeys(positionals, 'a project, a flag, an environment')
  await draw(values, { projectKey, environmentKey }, terminal, async (api, options) => {
    const keys = { projectKey, flagKey, environmentKey }
    const id = values.release ?? (await api.listAutomatedReleases({ ...keys, limit: 1 })).items[0]?.id
    if (id === undefined) throw cliError(`the flag ${flagKey} has no automated release in ${environmentKey}`)
    const release = await api.getAutomatedRelease({ ...keys, id })
    const { metrics } = await api.getAutomatedReleaseResults({ ...keys, id })
    const { releaseChart, releaseSvg } = await import('@halyard/console/svg')
    const title = `Release of ${flagKey} in ${environmentKey}: ${statusTexts[release.status]}`
    return releaseSvg(releaseChart(release, metrics, Date.now()), { ...options, title })
  })
}

type Release = Awaited<ReturnType<BoundApi['getAutomatedRelease']>>

const statusTexts = {
  running: 'running',
  held: 'held',
  completed: 'completed',
  rolledBack: 'rolled back',
  stopped: 'stopped',
} as const satisfies Record<Release['status'], string>

async function draw(
  values: ResultValues,
  { projectKey, environmentKey }: { readonly projectKey: string; readonly environmentKey: string },
  terminal: Terminal,
  render: (api: BoundApi, options: SvgOptions) => Promise<string>,
): Promise<void> {
  const theme = parseChoice('--theme', values.theme, ['light', 'dark'])
  const target = await openExistingTarget({ ...values, project: projectKey, environment: environmentKey })
  try {
    await writeChart(await render(target.api, { theme }), values.out, terminal)
  } finally {
    await target.close()
  }
}

function threeKeys(positionals: readonly string[], names: string): [string, string, string] {
  const [first, second, third, ...rest] = positionals
  if (first === undefined || second === undefined || third === undefined || rest.length > 0) {
    throw cliError(`the command needs ${names}, and no other argument`)
  }
  return [first, second, third]
}
