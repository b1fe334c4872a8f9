import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import {
  applyPlan,
  checkProjectFile,
  type FlagsPlan,
  type FlagsTarget,
  type PlanOptions,
  type ProjectFile,
  ProjectFileError,
  parseProjectFile,
  planFlags,
  planText,
  pullFlags,
} from '@halyard/import'
import { cliError, usageError } from '../cli-error.ts'
import type { Command, Terminal } from '../command.ts'
import { type Connection, openConnection, type Settings, settingsOf } from '../connection/open-connection.ts'
import { exitCode } from '../exit-code.ts'
import { describeOptions, type OptionDeclaration, readOptions } from '../options.ts'
import { readContexts } from '../read-contexts.ts'

const connectionOptions = {
  profile: { type: 'string', help: 'profile with presets' },
  url: { type: 'string', help: 'address of a server' },
  token: { type: 'string', help: 'access token' },
  storage: { type: 'string', help: 'storage to open in this process instead' },
  account: { type: 'string', help: 'account of the storage' },
} as const satisfies Record<string, OptionDeclaration>

const pullOptions = {
  project: { type: 'string', help: 'project to write; default: the project of the file' },
  ...connectionOptions,
} as const satisfies Record<string, OptionDeclaration>

const planOptions = {
  prune: { type: 'boolean', help: 'delete what the file owns and does not contain' },
  comment: { type: 'string', help: 'comment of each change' },
  'bypass-approval': { type: 'boolean', help: 'change without the approval that is required' },
  contexts: { type: 'string', help: 'NDJSON file of contexts to compare, or -; default: those evaluated recently' },
  json: { type: 'boolean', help: 'print the plan as JSON' },
  ...connectionOptions,
} as const satisfies Record<string, OptionDeclaration>

const savedPlanOption = { out: { type: 'string', help: 'file to write the plan to, for apply --plan' } } as const

const applyOptions = {
  ...planOptions,
  plan: { type: 'string', help: 'apply this plan, and no changes that were made since' },
  'request-approval': { type: 'boolean', help: 'request the approval that a change needs, for the whole plan' },
  'dry-run': { type: 'boolean', help: 'print the plan, and change nothing' },
} as const satisfies Record<string, OptionDeclaration>

type Values = Readonly<Partial<Record<keyof typeof applyOptions | 'out' | 'project', string | undefined>>>

/** The commands that keep the flags of a project in a file. */
export const flagsAsCodeCommands: Readonly<Record<string, Command>> = {
  pull: {
    usage: 'pull [file] [options]',
    summary: 'write the flags of a project to a YAML or TypeScript file, or print them',
    options: describeOptions(pullOptions),
    async run(args, terminal) {
      const { values, positionals } = readOptions(pullOptions, args, {})
      if (positionals.length > 1) throw usageError('the command needs one file')
      await pull(positionals[0], values, terminal)
    },
  },
  plan: {
    usage: 'plan <file> [options]',
    summary: 'show what applying a file of flags would change',
    options: describeOptions({ ...planOptions, ...savedPlanOption }),
    async run(args, terminal) {
      const { values, positionals } = readOptions({ ...planOptions, ...savedPlanOption }, args, {})
      const file = await projectFileAt(singleFile(positionals))
      const options = await optionsOf(values, terminal)
      const plan = await withConnection(values, terminal, (target) => planFlags(target, file, options))
      print(plan, values, terminal)
      if (values.out !== undefined) await writeAtomically(values.out, `${JSON.stringify(plan, undefined, 2)}\n`)
    },
  },
  apply: {
    usage: 'apply <file> [options]',
    summary: 'make a project equal to a file of flags, by one commit',
    options: describeOptions(applyOptions),
    async run(args, terminal) {
      const { values, positionals } = readOptions(applyOptions, args, {})
      const file = await projectFileAt(singleFile(positionals))
      const options = await optionsOf(values, terminal)
      await withConnection(values, terminal, async (target) => {
        const plan = values.plan === undefined ? await planFlags(target, file, options) : await planAt(values.plan)
        if (plan.project !== file.project) throw usageError('--plan must name a plan of the project of the file')
        print(plan, values, terminal)
        if (values['dry-run'] === undefined) await apply(target, plan, values, terminal)
      })
    },
  },
  drift: {
    usage: 'drift <file> [options]',
    summary: 'end with exit code 2 when a project differs from a file of flags',
    options: describeOptions(planOptions),
    async run(args, terminal) {
      const { values, positionals } = readOptions(planOptions, args, {})
      const file = await projectFileAt(singleFile(positionals))
      const options = await optionsOf(values, terminal)
      const plan = await withConnection(values, terminal, (target) => planFlags(target, file, options))
      print(plan, values, terminal)
      if (plan.changes.length + plan.unlisted.length === 0) return
      throw Object.assign(cliError('the project differs from the file'), { exitCode: exitCode.differs })
    },
  },
}

async function apply(target: FlagsTarget, plan: FlagsPlan, values: Values, { stderr }: Terminal): Promise<void> {
  const requests = values['request-approval'] === 'on'
  const description = values.comment ?? `Changes of the flags of ${plan.project}`
  const { approvalRequestId } = await applyPlan(target, plan, { ...(requests && { requestApproval: description }) })
  if (approvalRequestId !== undefined) stderr.write(`approval requested: ${approvalRequestId}\n`)
}

async function pull(path: string | undefined, values: Values, terminal: Terminal): Promise<void> {
  const text = path === undefined ? undefined : await textAt(path, { mayBeAbsent: true })
  const existing = text === undefined ? undefined : { text, file: await fileIn(path as string, text) }
  const settings = await settingsOf(values, terminal.env)
  const project = existing && values.project === undefined ? existing.file.project : settings.project
  if (project === undefined) throw usageError('--project must be named')
  if (existing && project !== existing.file.project) throw usageError(`--project must be the project of ${path}`)
  const pulled = await withConnection(values, terminal, (target) =>
    pullFlags(target, project, existing, isModule(path) ? 'typescript' : 'yaml'),
  )
  if (path === undefined) terminal.stdout.write(pulled)
  else if (pulled !== text) await writeAtomically(path, pulled)
}

async function optionsOf(
  { prune, comment, contexts, 'bypass-approval': bypass }: Values,
  terminal: Terminal,
): Promise<PlanOptions> {
  return {
    ...(contexts !== undefined && { contexts: await readContexts(contexts, terminal) }),
    prune: prune === 'on',
    ...(comment !== undefined && { comment }),
    bypassRequiredApproval: bypass === 'on',
  }
}

function print(plan: FlagsPlan, { json, prune }: Values, { stdout }: Terminal): void {
  stdout.write(json === 'on' ? `${JSON.stringify(plan, undefined, 2)}\n` : planText(plan, { prune: prune === 'on' }))
}

async function withConnection<T>(
  { profile, url, token, storage, account }: Values,
  { env }: Terminal,
  work: (target: Pick<Connection, 'api'>) => Promise<T>,
): Promise<T> {
  const connectionOptions: Settings & { profile?: string | undefined } = { profile, url, token, storage, account }
  const connection = await openConnection(await settingsOf(connectionOptions, env))
  try {
    return await work(connection)
  } finally {
    await connection.close()
  }
}

function singleFile(positionals: readonly string[]): string {
  const [path, ...rest] = positionals
  if (path === undefined || rest.length > 0) throw usageError('the command needs one file')
  return path
}

async function projectFileAt(path: string): Promise<ProjectFile> {
  return fileIn(path, (await textAt(path)) as string)
}

function isModule(path = ''): boolean {
  return /\.[cm]?[jt]s$/.test(path)
}

async function fileIn(path: string, text: string): Promise<ProjectFile> {
  try {
    return isModule(path) ? checkProjectFile(await exportedProject(path)) : parseProjectFile(text)
  } catch (error) {
    if (!(error instanceof ProjectFileError)) throw error
    throw usageError(`${path}: ${error.message}`, error)
  }
}

/** Runs a module, and returns its export `project`. */
async function exportedProject(path: string): Promise<unknown> {
  try {
    // Cast: the check that follows refuses every other value.
    const module = (await import(pathToFileURL(path).href)) as { readonly project?: unknown }
    return module.project
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_UNKNOWN_FILE_EXTENSION') throw error
    throw usageError(
      `${path}: this version of Node.js cannot load TypeScript; use version 22.18 or later, or node --import tsx`,
      error,
    )
  }
}

async function planAt(path: string): Promise<FlagsPlan> {
  try {
    return JSON.parse((await textAt(path)) as string) as FlagsPlan
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw usageError(`${path} must be a plan that halyard plan has written`, error)
  }
}

async function textAt(path: string, { mayBeAbsent = false } = {}): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (mayBeAbsent && code === 'ENOENT') return undefined
    throw usageError(`cannot read ${path}: ${code}`, error)
  }
}

/** Writes a file under another name and renames it, so that other programs never read half of it. */
async function writeAtomically(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}.part`
  try {
    await writeFile(draft, text)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw cliError(`cannot write ${path}: ${(error as NodeJS.ErrnoException).code}`, error)
  }
}
