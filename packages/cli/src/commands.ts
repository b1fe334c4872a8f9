import { type FlagFormat, flagFormats } from '@halyard/import'
import { cliError } from './cli-error.ts'
import type { Command, Terminal } from './command.ts'
import { compact } from './compact.ts'
import { profileCommands } from './connection/profile-command.ts'
import { declarationOptions, writeDeclarations } from './declare-flags/write-declarations.ts'
import { chartOptions, drawDeploymentFrequency, drawLeadTime, leadTimeOptions } from './draw-chart.ts'
import { drawExperiment, drawRelease, experimentOptions, releaseOptions } from './draw-results.ts'
import { exitCodeOf } from './exit-code.ts'
import { exportAccount } from './export-account.ts'
import { flagsAsCodeCommands } from './flags-as-code/flags-as-code-commands.ts'
import { importAccount } from './import/import-account.ts'
import { importCodeReferences } from './import/import-code-references.ts'
import { importDeployments } from './import/import-deployments.ts'
import { flagImportOptions, importFlags } from './import/import-flags.ts'
import { importGit } from './import/import-git.ts'
import { importLeadTimes } from './import/import-lead-times.ts'
import { importPullRequests } from './import/import-pull-requests.ts'
import { importSegment } from './import/import-segment.ts'
import { type ImportTarget, openTarget, targetOptions } from './import/import-target.ts'
import { initCommand } from './init/init-command.ts'
import { mcpCommand } from './mcp-command.ts'
import { openStorage } from './open-storage.ts'
import { completeCommand, completionCommand } from './operations/completion-command.ts'
import { evaluateCommand } from './operations/evaluate-command.ts'
import { describeOptions, type OptionDeclaration, readOptions } from './options.ts'
import { serveCommand } from './serve-command.ts'
import { simulate } from './simulate.ts'
import { storageOption } from './storage-option.ts'

const storageOptions = { storage: storageOption }

const accountOptions = {
  ...storageOptions,
  account: { type: 'string', env: 'HALYARD_ACCOUNT', preset: 'default', help: 'account of the storage' },
} as const satisfies Record<string, OptionDeclaration>

const compactOptions = {
  ...accountOptions,
  limit: { type: 'string', help: 'maximum number of days to summarize; default: all past days' },
} as const satisfies Record<string, OptionDeclaration>

const exportOptions = {
  ...accountOptions,
  secrets: { type: 'boolean', help: 'include tokens, SDK keys and all other secrets; keep the file safe' },
  out: { type: 'string', help: 'file to write; default: standard output' },
} as const satisfies Record<string, OptionDeclaration>

const simulateOptions = {
  ...accountOptions,
  project: { type: 'string', help: 'project of the flag, segment or AI config' },
  environment: { type: 'string', help: 'environment in which the change is simulated' },
  flag: { type: 'string', help: 'flag to change' },
  segment: { type: 'string', help: 'segment to change, instead of a flag' },
  'ai-config': { type: 'string', help: 'AI config to change, instead of a flag' },
  variation: { type: 'string', help: 'variation of the AI config that the patch changes' },
  instructions: { type: 'string', help: 'file with the instructions of a semantic patch' },
  patch: {
    type: 'string',
    help: 'file with a JSON Patch, or the new properties of an AI config, instead of instructions',
  },
  'scheduled-change': {
    type: 'string',
    help: 'id of a scheduled change of the flag, instead of instructions or a patch',
  },
  request: { type: 'string', help: 'id of an approval request, instead of all options above' },
  comment: { type: 'string', help: 'comment of the change' },
  contexts: { type: 'string', help: 'file with one context per line, or - for standard input' },
  token: {
    type: 'string',
    env: 'HALYARD_TOKEN',
    help: "token of the caller who would make the change; default: the account's owner",
  },
  why: { type: 'boolean', help: 'explain each result that changes' },
  json: { type: 'boolean', help: 'print the whole result as JSON' },
} as const satisfies Record<string, OptionDeclaration>

const importAccountOptions = {
  ...accountOptions,
  token: { type: 'string', env: 'HALYARD_TOKEN', help: "administrator's token to use when the file contains none" },
} as const satisfies Record<string, OptionDeclaration>

const gitOptions = {
  ...targetOptions,
  application: { type: 'string', help: "key of the application; default: the directory's name" },
  tags: { type: 'string', help: 'glob of the tags that are releases; default: version numbers without pre-releases' },
} as const satisfies Record<string, OptionDeclaration>

const segmentOptions = {
  ...targetOptions,
  environment: { ...targetOptions.environment, help: 'environment of the segment' },
  segment: { type: 'string', help: 'big segment to fill; created when it does not exist' },
  mode: { type: 'string', preset: 'merge', help: 'merge: add the keys; replace: delete all other keys' },
} as const satisfies Record<string, OptionDeclaration>

const migrateOptions = {
  ...storageOptions,
  partitions: { type: 'string', help: 'number of hash partitions by account of the tables of a new Postgres schema' },
} as const satisfies Record<string, OptionDeclaration>

/** Every command by its words on the command line. */
export const commands: Readonly<Record<string, Command>> = {
  serve: serveCommand,
  migrate: {
    usage: 'migrate [options]',
    summary: 'create or upgrade the schema of the storage',
    options: describeOptions(migrateOptions),
    async run(args, terminal) {
      const { values } = readOptions(migrateOptions, args, terminal.env)
      const { storage: option, partitions } = values
      if (partitions !== undefined && !/^\d{1,3}$/.test(partitions))
        throw cliError(`--partitions must be a number from 0 to 256, not "${partitions}"`)
      const storage = await openStorage(
        option as string,
        partitions === undefined ? {} : { partitions: Number(partitions) },
      )
      try {
        await storage.migrate()
        terminal.stdout.write(`${storage.name} is ready\n`)
      } finally {
        await storage.close()
      }
    },
  },
  compact: {
    usage: 'compact [options]',
    summary: 'summarize past days of lead times, so that their charts are fast',
    options: describeOptions(compactOptions),
    async run(args, terminal) {
      const { storage, account, limit } = optionsOnly(readOptions(compactOptions, args, terminal.env))
      if (limit !== undefined && !/^[1-9]\d{0,8}$/.test(limit)) throw cliError('--limit must be a positive integer')
      await compact(
        {
          storage: storage as string,
          account: account as string,
          limit: limit === undefined ? undefined : Number(limit),
        },
        terminal,
      )
    },
  },
  export: {
    usage: 'export [options]',
    summary: 'export everything that an account stores, for a back-up or another storage',
    options: describeOptions(exportOptions),
    async run(args, terminal) {
      const { values, positionals } = readOptions(exportOptions, args, terminal.env)
      if (positionals.length > 0) throw cliError('the file name must be given with --out')
      const { storage, account, secrets, out } = values
      await exportAccount(
        { storage: storage as string, account: account as string, secrets: secrets === 'on', out },
        terminal,
      )
    },
  },
  simulate: {
    usage: 'simulate [options]',
    summary: 'show the effect of a change of a flag, segment or AI config, without making the change',
    options: describeOptions(simulateOptions),
    async run(args, terminal) {
      const { storage, account, json, why, ...change } = optionsOnly(readOptions(simulateOptions, args, terminal.env))
      await simulate(
        { ...change, storage: storage as string, account: account as string, json: json === 'on', why: why === 'on' },
        terminal,
      )
    },
  },
  'import account': {
    usage: 'import account <file> [options]',
    summary: 'import an exported account into a storage in which the account is empty',
    options: describeOptions(importAccountOptions),
    async run(args, terminal) {
      const { values, positionals } = readOptions(importAccountOptions, args, terminal.env)
      const file = singlePositional(positionals, 'a file')
      const { storage, account, token } = values
      await importAccount({ file, storage: storage as string, account: account as string, token }, terminal)
    },
  },
  'import git': {
    usage: 'import git <directory> [options]',
    summary: 'import releases by tag, and the changes between them, from a git repository',
    options: describeOptions(gitOptions),
    async run(args, terminal) {
      const { values, positionals } = readOptions(gitOptions, args, terminal.env)
      const directory = singlePositional(positionals, 'a directory')
      const { application, tags } = values
      await withTarget(values, (target) => importGit({ directory, application, tags }, target, terminal))
    },
  },
  'import lead-times': importCommand(
    'lead-times <csv>',
    'import lead times: application, version, commit, authored_at_ms, committed_at_ms, released_at_ms',
    importLeadTimes,
  ),
  'import deployments': importCommand(
    'deployments <csv>',
    'import releases: application, version, released_at_ms',
    importDeployments,
  ),
  'import pull-requests': importCommand(
    'pull-requests <json or ->',
    'import pull requests as `gh pr list --json ...` and `glab mr list --output json` print them',
    importPullRequests,
  ),
  'import segment': {
    usage: 'import segment <csv> [options]',
    summary: 'import the keys of a big segment, one per line',
    options: describeOptions(segmentOptions),
    async run(args, terminal) {
      const { values, positionals } = readOptions(segmentOptions, args, terminal.env)
      const file = singlePositional(positionals, 'a file')
      const { segment: segmentKey, mode } = values
      if (segmentKey === undefined) throw cliError('the segment must be named with --segment')
      await withTarget(values, (target) => importSegment({ file, segmentKey, mode: mode as string }, target, terminal))
    },
  },
  'import code-references': importCommand(
    'code-references <json or csv>',
    'import where the source code of a project refers to flags',
    importCodeReferences,
  ),
  ...Object.fromEntries(flagFormats.map((format) => [`import ${format.name}`, flagImport(format)])),
  'chart lead-time': {
    usage: 'chart lead-time [options]',
    summary: 'draw how long changes take to reach an environment, as SVG',
    options: describeOptions(leadTimeOptions),
    run: (args, terminal) => drawLeadTime(optionsOnly(readOptions(leadTimeOptions, args, terminal.env)), terminal),
  },
  'chart deployment-frequency': {
    usage: 'chart deployment-frequency [options]',
    summary: 'draw the deployment frequency of an environment, as SVG',
    options: describeOptions(chartOptions),
    run: (args, terminal) =>
      drawDeploymentFrequency(optionsOnly(readOptions(chartOptions, args, terminal.env)), terminal),
  },
  'chart experiment': {
    usage: 'chart experiment <project> <environment> <experiment> [options]',
    summary: 'draw the results of an experiment, as SVG',
    options: describeOptions(experimentOptions),
    run: (args, terminal) => drawExperiment(readOptions(experimentOptions, args, terminal.env), terminal),
  },
  'chart release': {
    usage: 'chart release <project> <flag> <environment> [options]',
    summary: 'draw the stages and the results of an automated release, as SVG',
    options: describeOptions(releaseOptions),
    run: (args, terminal) => drawRelease(readOptions(releaseOptions, args, terminal.env), terminal),
  },
  types: {
    usage: 'types [options]',
    summary: "declare a project's flags for TypeScript, so that a wrong key or type is a compile error",
    options: describeOptions(declarationOptions),
    run: (args, terminal) =>
      writeDeclarations(optionsOnly(readOptions(declarationOptions, args, terminal.env)), terminal),
  },
  ...withExitCodes({
    evaluate: evaluateCommand,
    init: initCommand,
    mcp: mcpCommand,
    ...flagsAsCodeCommands,
    ...profileCommands,
    completion: completionCommand,
    complete: completeCommand(() => commands),
  }),
}

/** Returns commands that end with the exit codes of operations. */
function withExitCodes(added: Readonly<Record<string, Command>>): Readonly<Record<string, Command>> {
  return Object.fromEntries(Object.entries(added).map(([name, command]) => [name, { ...command, exitCodeOf }]))
}

function importCommand(
  usage: string,
  summary: string,
  importInto: (file: string, target: ImportTarget, terminal: Terminal) => Promise<void>,
): Command {
  return {
    usage: `import ${usage} [options]`,
    summary,
    options: describeOptions(targetOptions),
    async run(args, terminal) {
      const { values, positionals } = readOptions(targetOptions, args, terminal.env)
      const file = singlePositional(positionals, 'a file')
      await withTarget(values, (target) => importInto(file, target, terminal))
    },
  }
}

function flagImport(format: FlagFormat): Command {
  return {
    usage: `import ${format.name} <json or -> [options]`,
    summary: `import flags from ${format.title}: ${format.fileContent}`,
    options: describeOptions(flagImportOptions),
    async run(args, terminal) {
      const { values, positionals } = readOptions(flagImportOptions, args, terminal.env)
      await importFlags({ format, file: singlePositional(positionals, 'a file') }, values, terminal)
    },
  }
}

/** Returns the options of a command that accepts no other arguments. */
function optionsOnly<Values>({
  values,
  positionals,
}: {
  readonly values: Values
  readonly positionals: readonly string[]
}) {
  if (positionals.length > 0) throw cliError(`"${positionals[0]}" is not an option; options begin with --`)
  return values
}

function singlePositional(positionals: readonly string[], noun: string): string {
  const [first, ...rest] = positionals
  if (first === undefined || rest.length > 0) throw cliError(`the command needs ${noun} and no other argument`)
  return first
}

async function withTarget(
  values: Parameters<typeof openTarget>[0],
  importInto: (target: ImportTarget) => Promise<void>,
) {
  const target = await openTarget(values)
  try {
    await importInto(target)
  } finally {
    await target.close()
  }
}
