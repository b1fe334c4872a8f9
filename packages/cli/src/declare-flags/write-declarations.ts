import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { cliError } from '../cli-error.ts'
import type { Terminal } from '../command.ts'
import { type ImportTarget, openExistingTarget, targetOptions } from '../import/import-target.ts'
import type { OptionDeclaration } from '../options.ts'
import { type Audience, audiences, type DeclaredFlag, flagDeclarations } from './flag-declarations.ts'

const { environment: _, ...sourceOptions } = targetOptions

/** The options of `halyard types`. */
export const declarationOptions = {
  ...sourceOptions,
  project: { ...targetOptions.project, help: 'project of the flags' },
  url: { ...targetOptions.url, help: 'read from a running engine at this address instead' },
  for: {
    type: 'string',
    preset: 'engine',
    help: 'comma-separated list of engine, openfeature; none for the interface alone',
  },
  out: { type: 'string', help: 'file to write; default: standard output' },
  check: { type: 'boolean', help: 'write nothing, and fail when the file at --out is not up to date' },
} as const satisfies Record<string, OptionDeclaration>

type DeclarationValues = Readonly<Record<keyof typeof declarationOptions, string | undefined>>

/**
 * Writes a file that declares the flags of a project for TypeScript, or checks that it is up to date.
 *
 * @throws CliError for options that contradict each other, and for a file that is not up to date.
 */
export async function writeDeclarations(values: DeclarationValues, { stdout, stderr }: Terminal): Promise<void> {
  const { out, check } = values
  const audienceList = audiencesOf(values.for as string)
  if (check !== undefined && out === undefined) throw cliError('--check needs --out')
  if (audienceList.includes('openfeature') && out !== undefined && !/\.d\.[cm]?ts$/.test(out)) {
    throw cliError('--for openfeature: --out must name a declaration file, such as flags.d.ts')
  }
  const text = flagDeclarations(await flagsOf(values), values.project as string, audienceList)
  if (out === undefined) stdout.write(text)
  else if (check !== undefined) await checkFile(out, text)
  else {
    await writeAtomically(out, text)
    stderr.write(`wrote ${out}\n`)
  }
}

function audiencesOf(text: string): readonly Audience[] {
  if (text === 'none') return []
  return text.split(',').map((name) => {
    const audience = audiences.find((candidate) => candidate === name.trim())
    if (!audience) throw cliError(`--for must be none, or a list of ${audiences.join(', ')}, not "${text}"`)
    return audience
  })
}

async function flagsOf(values: DeclarationValues): Promise<DeclaredFlag[]> {
  const target = await openExistingTarget({ ...values, environment: undefined })
  try {
    return await allFlags(target)
  } finally {
    await target.close()
  }
}

async function allFlags({ api, projectKey }: ImportTarget): Promise<DeclaredFlag[]> {
  const limit = 100
  const flags: DeclaredFlag[] = []
  for (;;) {
    const { items, totalCount } = await api.listFlags({ projectKey, limit, offset: flags.length, sort: 'key' })
    flags.push(...items)
    if (items.length === 0 || flags.length >= totalCount) return flags
  }
}

/**
 * Fails unless the file contains the text. CRLF counts as LF, because version control may have changed the line ends.
 */
async function checkFile(out: string, text: string): Promise<void> {
  const existing = await readFile(out, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw cliError(`cannot read ${out}: ${error.code}`, error)
    return undefined
  })
  if (existing?.replaceAll('\r\n', '\n') === text) return
  throw cliError(existing === undefined ? `${out} does not exist` : `${out} is not up to date: run halyard types again`)
}

/** Writes a file under another name and renames it, so that a watching compiler never reads half of it. */
async function writeAtomically(out: string, text: string): Promise<void> {
  const draft = `${out}.${process.pid}.part`
  try {
    await writeFile(draft, text)
    await rename(draft, out)
  } catch (error) {
    await rm(draft, { force: true })
    throw cliError(`cannot write ${out}: ${(error as NodeJS.ErrnoException).code}`, error)
  }
}
