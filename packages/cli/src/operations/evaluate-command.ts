import {
  compileRuleset,
  type EvaluationContext,
  type EvaluationExplanation,
  explainEvaluation,
  type FlagData,
  re2Pattern,
  type SegmentData,
} from '@halyard/core/evaluation'
import { cliError, usageError } from '../cli-error.ts'
import type { Command, Terminal } from '../command.ts'
import { type Connection, openConnection, settingsOf } from '../connection/open-connection.ts'
import { describeOptions, type OptionDeclaration, readOptions } from '../options.ts'
import { jsonOf } from './operation-call.ts'
import { type OutputFormat, printable, printedValue } from './printed-value.ts'

const options = {
  context: { type: 'string', help: 'JSON file with the context, or - for standard input' },
  explain: { type: 'boolean', help: 'show each step of the evaluation' },
  project: { type: 'string', help: 'project of the flag' },
  environment: { type: 'string', help: 'environment in which the flag is evaluated' },
  output: { type: 'string', help: 'table, json or yaml' },
  profile: { type: 'string', help: 'profile with presets' },
  url: { type: 'string', help: 'address of a server' },
  token: { type: 'string', help: 'access token, which may view the environment' },
  storage: { type: 'string', help: 'storage to open in this process instead' },
  account: { type: 'string', help: 'account of the storage' },
} as const satisfies Record<string, OptionDeclaration>

/** The command that evaluates a flag for a context. It reads the flags of a server, and evaluates in this process. */
export const evaluateCommand: Command = {
  usage: 'evaluate <flag> --context <file> [options]',
  summary: 'evaluate a flag for a context',
  options: describeOptions(options),
  async run(args, terminal) {
    const { values, positionals } = readOptions(options, args, {})
    const [flagKey, ...rest] = positionals
    if (flagKey === undefined || rest.length > 0) throw usageError('the command needs the key of one flag')
    if (values.context === undefined) throw usageError('--context must name a file with a context')
    const context = (await jsonOf('--context', values.context, terminal)) as EvaluationContext
    const { context: _, explain, output, ...named } = values
    const settings = await settingsOf({ ...named, output: output as OutputFormat | undefined }, terminal.env)
    const { project, environment } = settings
    if (project === undefined || environment === undefined)
      throw usageError('--project and --environment must be named')
    const connection = await openConnection(settings)
    try {
      const explanation = await explanationOf(connection, {
        environment: { projectKey: project, environmentKey: environment },
        flagKey,
        context,
      })
      print(explanation, { flagKey, isExplained: explain === 'on', format: settings.output ?? 'table' }, terminal)
    } finally {
      await connection.close()
    }
  },
}

interface EnvironmentRef {
  readonly projectKey: string
  readonly environmentKey: string
}

/** A flag, and the environment and the context for which it is evaluated. */
interface EvaluationRequest {
  readonly environment: EnvironmentRef
  readonly flagKey: string
  readonly context: EvaluationContext
}

async function explanationOf(
  { call, engine, server }: Connection,
  { environment, flagKey, context }: EvaluationRequest,
): Promise<EvaluationExplanation> {
  const { apiKey } = (await call('getEnvironment', { ...environment })) as { readonly apiKey?: string }
  if (engine) {
    const evaluator = engine.evaluator(environment)
    await evaluator.ready()
    return evaluator.explain(flagKey, context) as EvaluationExplanation
  }
  const response = await fetch(`${server?.url}/sdk/latest-all`, { headers: { authorization: apiKey ?? '' } })
  if (!response.ok) throw cliError(`the server did not send the flags of the environment: ${response.status}`)
  const { flags, segments } = (await response.json()) as Ruleset
  const ruleset = compileRuleset({
    flags: Object.values(flags),
    segments: Object.values(segments),
    compilePattern: re2Pattern,
  })
  return explainEvaluation(ruleset, flagKey, context)
}

/** The flags and segments of an environment, as servers send them to SDKs. */
interface Ruleset {
  readonly flags: Readonly<Record<string, FlagData>>
  readonly segments: Readonly<Record<string, SegmentData>>
}

/** The flag that was evaluated, and how its evaluation is printed. */
interface PrintedEvaluation {
  readonly flagKey: string
  readonly isExplained: boolean
  readonly format: OutputFormat
}

function print(
  { flag, text, contextError, ...outcome }: EvaluationExplanation,
  { flagKey, isExplained, format }: PrintedEvaluation,
  { stdout }: Terminal,
): void {
  if (flag === undefined && contextError === undefined) throw cliError(`the environment has no flag "${flagKey}"`)
  if (contextError !== undefined) throw usageError(`--context is not a valid context: ${contextError}`)
  if (format !== 'table') {
    stdout.write(printedValue(isExplained ? { ...outcome, flag, text } : outcome, format))
  } else if (isExplained) stdout.write(`${text.split('\n').map(printable).join('\n')}\n`)
  else stdout.write(`${printable(JSON.stringify(outcome.value))} (${outcome.reason.kind})\n`)
}
