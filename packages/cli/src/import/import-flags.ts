import { writeFile } from 'node:fs/promises'
import {
  compareImport,
  defaultEnvironmentKey,
  type FlagFormat,
  type ImportedProject,
  type ImportReport,
  type ReadOptions,
  reportJson,
  reportText,
  stepsOf,
  type WriteResult,
  writeProject,
} from '@halyard/import'
import { cliError } from '../cli-error.ts'
import type { Terminal } from '../command.ts'
import type { OptionDeclaration } from '../options.ts'
import { type Progress, showProgress } from '../progress.ts'
import { ensureProject, type ImportTarget, openExistingTarget, targetOptions } from './import-target.ts'
import { readJsonValues } from './read-json-values.ts'

const { environment: _, ...projectOptions } = targetOptions

/** The options of the commands that import flags. */
export const flagImportOptions = {
  ...projectOptions,
  environment: {
    type: 'string',
    help: `environment for an export that names none; of several environments, the only one to import (default: its own name, or ${defaultEnvironmentKey})`,
  },
  'dry-run': { type: 'boolean', help: 'write nothing, and report what would be lost or differ' },
  report: { type: 'string', help: 'file to write the whole report to, as JSON' },
  compare: {
    type: 'string',
    preset: '1000',
    help: 'number of contexts with which each flag is compared, original rules with imported ones; 0: none',
  },
} as const satisfies Record<string, OptionDeclaration>

export type FlagImportValues = Readonly<Record<keyof typeof flagImportOptions, string | undefined>>

/** A file of flags, and its format. */
export interface FlagFile {
  readonly format: FlagFormat
  /** `-` for standard input. */
  readonly file: string
}

/**
 * Imports flags, segments and environments from an export of another service. It reports the losses of each flag,
 * compares the original rules with the imported ones on sampled contexts (when the vendor's own evaluator is
 * installed), and writes the project. A second run changes nothing; an interrupted run is completed by running it
 * again.
 *
 * @throws CliError for a file that is not an export of the service, and when it is interrupted.
 */
export async function importFlags(
  { format, file }: FlagFile,
  values: FlagImportValues,
  terminal: Terminal,
): Promise<void> {
  const contexts = contextsOf(values.compare as string)
  const exported = await readJsonValues(file, terminal)
  const options: ReadOptions = { environmentKey: values.environment }
  const read = format.read(exported, options)
  if (!read.ok) throw cliError(`${file === '-' ? 'standard input' : file}: ${read.at || 'the export'} ${read.reason}`)
  const { importedProject } = read
  const comparison = await compare({ format, exported, options, importedProject }, contexts, terminal)
  const report: ImportReport = { format: format.title, importedProject, ...comparison }
  terminal.stdout.write(reportText(report))
  const written = values['dry-run'] === 'on' ? undefined : await writeTo(values, importedProject, terminal)
  if (written) terminal.stdout.write(writtenText(written))
  if (values.report !== undefined) await writeReport(values.report, { ...report, ...(written ? { written } : {}) })
}

function contextsOf(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw cliError('--compare must be a number of contexts, 0 to 999999')
  return Number(text)
}

/** An export, and the project that was read from it. */
interface ReadProject {
  readonly format: FlagFormat
  readonly exported: readonly unknown[]
  readonly options: ReadOptions
  readonly importedProject: ImportedProject
}

/** Compares before anything is written, so that losses are reported before the project changes. */
async function compare(
  { format, exported, options, importedProject }: ReadProject,
  contexts: number,
  { stderr, signal }: Terminal,
): Promise<Pick<ImportReport, 'comparisons' | 'comparedWith'>> {
  let progress: Progress | undefined
  const updateProgress = (done: number) => {
    progress ??= showProgress(stderr, 'flags compared', importedProject.flags.length)
    progress.update(done)
  }
  const compared = await compareImport(format, exported, importedProject, {
    contexts,
    read: options,
    signal,
    onProgress: updateProgress,
  }).finally(() => progress?.end())
  const { refused, notCompared, ...comparison } = compared
  for (const { what, why } of refused) stderr.write(`${what} cannot be written: ${why}\n`)
  if (notCompared !== undefined) stderr.write(`not compared with the original rules: ${notCompared}\n`)
  return comparison
}

async function writeTo(
  values: FlagImportValues,
  importedProject: ImportedProject,
  { stderr, signal }: Terminal,
): Promise<WriteResult> {
  const target: ImportTarget = await openExistingTarget({ ...values, environment: undefined })
  const progress = showProgress(stderr, 'steps', stepsOf(importedProject))
  try {
    await ensureProject(target)
    return await writeProject(importedProject, target, { signal, onProgress: progress.update })
  } finally {
    progress.end()
    await target.close()
  }
}

function writtenText({ flags, segments, refused }: WriteResult): string {
  const counts = (noun: string, { created, changed, unchanged }: WriteResult['flags']) =>
    `${noun}: ${created} created, ${changed} changed, ${unchanged} unchanged\n`
  const refusalLines = refused.map(({ what, why }) => `${what} was not written: ${why}\n`)
  const deleted = segments.deleted === 0 ? '' : `unused segments: ${segments.deleted} deleted\n`
  return `${counts('flags', flags)}${counts('segments', segments)}${deleted}${refusalLines.join('')}`
}

async function writeReport(file: string, report: ImportReport): Promise<void> {
  await writeFile(file, reportJson(report)).catch((error: NodeJS.ErrnoException) => {
    throw cliError(`cannot write ${file}: ${error.code}`, error)
  })
}
