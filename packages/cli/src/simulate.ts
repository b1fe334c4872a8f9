import { type As, createEngine } from '@halyard/core'
import type { SimulatedMembership, SimulatedVariation, Simulation } from '@halyard/core/operations'
import { cliError } from './cli-error.ts'
import type { Terminal } from './command.ts'
import { openStorage } from './open-storage.ts'
import { contentOf, parseJson, readContexts } from './read-contexts.ts'
import { simulationText } from './simulation-text.ts'

export interface SimulateOptions {
  readonly storage: string
  readonly account: string
  /** Token of the caller who would make the change; default: the account's owner. */
  readonly token: string | undefined
  readonly project: string | undefined
  readonly environment: string | undefined
  readonly flag: string | undefined
  readonly segment: string | undefined
  readonly 'ai-config': string | undefined
  /** Variation of the AI config that `patch` changes. */
  readonly variation: string | undefined
  /** Path of a JSON file with instructions; `patch` is the path of a JSON file with a patch. */
  readonly instructions: string | undefined
  readonly patch: string | undefined
  /** Id of an approval request, instead of the options above. */
  readonly request: string | undefined
  readonly 'scheduled-change': string | undefined
  readonly comment: string | undefined
  /** An NDJSON file, or `-`. */
  readonly contexts: string | undefined
  readonly json: boolean
  readonly why: boolean
}

/**
 * Prints the effect of a change, as a table or as JSON. Nothing is written.
 *
 * @throws CliError for unreadable input; ApiError with which the change would be rejected.
 */
export async function simulate(options: SimulateOptions, terminal: Terminal): Promise<void> {
  const change = await changeOf(options)
  const contexts = options.contexts === undefined ? [] : await readContexts(options.contexts, terminal)
  const { storage, account, token } = options
  const as: As = token ?? { role: 'owner' }
  const engine = createEngine({ storage: await openStorage(storage), account, clock: () => Date.now() })
  try {
    const simulation: Simulation<SimulatedVariation | SimulatedMembership> = await engine.simulate(
      // Cast: the file was read as JSON; the engine validates it.
      { ...change, contexts } as never,
      { as },
    )
    terminal.stdout.write(
      options.json ? `${JSON.stringify(simulation)}\n` : simulationText(simulation, nameOf(options), options.why),
    )
  } finally {
    await engine.close()
  }
}

/** Combines all options; the engine rejects options that contradict each other, and names them. */
async function changeOf(options: SimulateOptions): Promise<object> {
  const { project, environment, flag, segment, variation, request, comment } = options
  const parts = await Promise.all([
    bodyOf('instructions', '--instructions', options.instructions),
    options['ai-config'] === undefined ? bodyOf('patch', '--patch', options.patch) : propertiesOf(options.patch),
  ])
  return Object.assign(
    { projectKey: project, environmentKey: environment, flagKey: flag, segmentKey: segment },
    { configKey: options['ai-config'], variationKey: variation },
    { approvalRequestId: request, scheduledChangeId: options['scheduled-change'] },
    ...parts,
    comment === undefined ? {} : { comment },
  )
}

/** Reads the new properties of an AI config or a variation. */
async function propertiesOf(file: string | undefined): Promise<object> {
  return file === undefined ? {} : { patch: parseJson(await contentOf(file), `--patch ${file}`) }
}

/** Reads a file that contains a list, or the whole body of a patch: an object with the list and a comment. */
async function bodyOf(name: string, option: string, file: string | undefined): Promise<object> {
  if (file === undefined) return {}
  const value = parseJson(await contentOf(file), `${option} ${file}`)
  if (Array.isArray(value)) return { [name]: value }
  const { comment, [name]: list } = value as { readonly [property: string]: unknown }
  if (!Array.isArray(list)) throw cliError(`${option} ${file} must contain a list, or an object with ${name}`)
  return { [name]: list, ...(comment === undefined ? {} : { comment }) }
}

function nameOf({ request, flag, segment, 'ai-config': config, project, environment }: SimulateOptions): string {
  if (request !== undefined) return `approval request ${request}`
  const resource = flag === undefined ? undefined : `flag ${flag}`
  return `${resource ?? (config === undefined ? `segment ${segment}` : `AI config ${config}`)} in ${project}/${environment}`
}
