import type { Command as CommanderCommand } from 'commander'
import { usageError } from '../cli-error.ts'
import type { Terminal } from '../command.ts'
import { type CallOperation, openConnection, settingsOf } from '../connection/open-connection.ts'
import { addConnectionOptions, connectionOptionsOf, optionsOf } from './command-options.ts'
import { missingSetting, type TypedOptions } from './operation-call.ts'
import { printable, printedValue } from './printed-value.ts'

/** A command of `flags` that makes a semantic patch. */
interface FlagVerb {
  addTo(program: CommanderCommand, terminal: Terminal): void
}

interface Verb {
  readonly name: string
  readonly summary: string
  /** Arguments after the key of the flag. */
  readonly positionals?: readonly string[]
  /** Option declarations with their descriptions. */
  readonly options?: Readonly<Record<string, string>>
  /** True when the change concerns all environments. */
  readonly everywhere?: boolean
  instructions(input: VerbInput): readonly object[]
}

interface VerbInput {
  readonly flag: Flag
  readonly environment: string
  readonly positionals: readonly string[]
  readonly typedOptions: TypedOptions
}

/** The parts of a flag that the commands read. */
interface Flag {
  readonly key: string
  readonly variations: readonly { readonly _id: string; readonly value: unknown; readonly name?: string }[]
  readonly environments: Readonly<Record<string, { readonly on: boolean }>>
}

const targetOptions = {
  '--keys <keys>': 'keys of the contexts, separated by commas',
  '--kind <kind>': 'kind of the contexts; default: user',
}

const verbs: readonly Verb[] = [
  { name: 'on', summary: 'Turn a flag on in an environment', instructions: () => [{ kind: 'turnFlagOn' }] },
  { name: 'off', summary: 'Turn a flag off in an environment', instructions: () => [{ kind: 'turnFlagOff' }] },
  {
    name: 'toggle',
    summary: 'Turn a flag on or off in an environment; without an option, the opposite of its present state',
    options: { '--on': 'turn it on', '--off': 'turn it off' },
    instructions({ flag, environment, typedOptions: { on, off } }) {
      if (on && off) throw usageError('--on and --off contradict each other')
      const isOn = on === true || (off !== true && flag.environments[environment]?.on === false)
      return [{ kind: isOn ? 'turnFlagOn' : 'turnFlagOff' }]
    },
  },
  {
    name: 'target',
    summary: 'Serve a variation to contexts by their keys',
    positionals: ['variation'],
    options: targetOptions,
    instructions: (input) => [targets('addTargets', input)],
  },
  {
    name: 'untarget',
    summary: 'Stop serving a variation to contexts by their keys',
    positionals: ['variation'],
    options: targetOptions,
    instructions: (input) => [targets('removeTargets', input)],
  },
  {
    name: 'serve',
    summary: 'Serve a variation to all contexts that no target and no rule selects',
    positionals: ['variation'],
    instructions: ({ flag, positionals: [variation = ''] }) => [
      { kind: 'updateFallthroughVariationOrRollout', variationId: variationIdOf(flag, variation) },
    ],
  },
  {
    name: 'rollout',
    summary: 'Serve variations to parts of all contexts that no target and no rule selects',
    options: {
      '--weights <weights>': 'percentage of each variation, e.g. true=20,false=80',
      '--kind <kind>': 'kind of the contexts that are divided; default: user',
    },
    instructions({ flag, typedOptions: { weights, kind } }) {
      if (typeof weights !== 'string')
        throw usageError('--weights is missing: pass the percentage of each variation, e.g. true=20,false=80')
      return [
        {
          kind: 'updateFallthroughVariationOrRollout',
          rolloutWeights: weightsOf(flag, weights),
          ...(kind === undefined ? {} : { rolloutContextKind: kind }),
        },
      ]
    },
  },
  {
    name: 'archive',
    summary: 'Archive a flag in all environments',
    everywhere: true,
    instructions: () => [{ kind: 'archiveFlag' }],
  },
  {
    name: 'restore',
    summary: 'Restore an archived flag',
    everywhere: true,
    instructions: () => [{ kind: 'restoreFlag' }],
  },
]

/** The commands of `flags` that make semantic patches. */
export const flagVerbs: readonly FlagVerb[] = verbs.map((verb) => ({
  addTo(program, terminal) {
    const command = program.command(verb.name).summary(verb.summary).description(verb.summary).argument('<flag-key>')
    for (const name of verb.positionals ?? []) command.argument(`<${name}>`)
    for (const [declaration, help] of Object.entries(verb.options ?? {})) command.option(declaration, help)
    command.option('--project <project>', 'project of the flag')
    if (!verb.everywhere) command.option('--environment <environment>', 'environment to change')
    command.option('--comment <text>', 'comment for the change log')
    command.option('--dry-run', 'show what would change without changing it')
    addConnectionOptions(command)
    command.action(() => runVerb(verb, command, terminal))
  },
}))

async function runVerb(verb: Verb, command: CommanderCommand, terminal: Terminal): Promise<void> {
  const options = optionsOf(command)
  const settings = await settingsOf(connectionOptionsOf(options), terminal.env)
  const { project, environment = '' } = settings
  if (project === undefined) throw missingSetting('project')
  if (environment === '' && !verb.everywhere) throw missingSetting('environment')
  const [flagKey = '', ...positionals] = command.args
  const connection = await openConnection(settings)
  try {
    const flag = await readFlag(connection.call, { projectKey: project, flagKey })
    const instructions = verb.instructions({ flag, environment, positionals, typedOptions: options })
    const changed = (await connection.call('patchFlag', {
      projectKey: project,
      flagKey,
      ...(options['dry-run'] === true ? { dryRun: true } : {}),
      body: {
        ...(verb.everywhere ? {} : { environmentKey: environment }),
        instructions,
        ...(typeof options.comment === 'string' ? { comment: options.comment } : {}),
      },
    })) as Flag
    const format = settings.output ?? 'table'
    const isOn = changed.environments[environment]?.on
    const state = verb.everywhere ? `${verb.name}d` : `${isOn ? 'on' : 'off'} in ${environment}`
    const line = `${changed.key} ${options['dry-run'] === true ? 'would be' : 'is'} ${state}\n`
    terminal.stdout.write(format === 'table' ? `${printable(line.trimEnd())}\n` : printedValue(changed, format))
  } finally {
    await connection.close()
  }
}

async function readFlag(call: CallOperation, ref: { projectKey: string; flagKey: string }): Promise<Flag> {
  return (await call('getFlag', ref)) as Flag
}

function targets(kind: string, { flag, positionals: [variation = ''], typedOptions }: VerbInput): object {
  const { keys, kind: contextKind } = typedOptions
  if (typeof keys !== 'string')
    throw usageError('--keys is missing: pass the keys of the contexts, separated by commas')
  return {
    kind,
    variationId: variationIdOf(flag, variation),
    values: keys.split(','),
    ...(contextKind === undefined ? {} : { contextKind }),
  }
}

/** Returns the weights in thousandths of a percent, by the ids of all variations. */
function weightsOf(flag: Flag, weights: string): Readonly<Record<string, number>> {
  const entries = weights.split(',').map((part) => {
    const [, variation, percentage] = /^(.+)=(\d+(?:\.\d{1,3})?)$/.exec(part) ?? []
    if (variation === undefined) throw usageError(`--weights must be like true=20,false=80, not "${weights}"`)
    return [variationIdOf(flag, variation), Math.round(Number(percentage) * 1000)] as const
  })
  return { ...Object.fromEntries(flag.variations.map(({ _id }) => [_id, 0])), ...Object.fromEntries(entries) }
}

/** Finds a variation by its id, its name, or its value as text or JSON. */
function variationIdOf({ key, variations }: Flag, text: string): string {
  const matches = variations.filter(
    ({ _id, name, value }) => _id === text || name === text || value === text || JSON.stringify(value) === text,
  )
  const [variation] = matches
  if (variation && matches.length === 1) return variation._id
  const list = variations.map(({ name, value }) => name ?? JSON.stringify(value)).join(', ')
  throw usageError(printable(`${key} has ${variation ? 'several variations' : 'no variation'} "${text}": ${list}`))
}
