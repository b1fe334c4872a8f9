import { writeFile } from 'node:fs/promises'
import {
  compareImport,
  type FlagFormat,
  type ImportReport,
  type MovedProject,
  presetEnvironment,
  type ReadOptions,
  reportJson,
  reportText,
  stepsOf,
  type Written,
  writeMoved,
} from '@halyard/import'
import { cliError } from '../cli-error.ts'
import type { Terminal } from '../command.ts'
import type { OptionDeclaration } from '../flags-and-environment.ts'
import { type Progress, showProgress } from '../progress.ts'
import { ensureProject, type ImportTarget, openPlace, targetOptions } from './import-target.ts'
import { readJsonValues } from './read-json-values.ts'

const { environment: _, ...placeOptions } = targetOptions

/** The options of an import of flags. */
export const flagImportOptions = {
  ...placeOptions,
  environment: {
    type: 'string',
    help: `environment for an export that names none; of several environments, the only one to import (default: its own name, or ${presetEnvironment})`,
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

/**
 * Imports flags, segments and environments from an export of another service. It reports the losses of each flag,
 * compares the original rules with the imported ones on sampled contexts (when the vendor's own evaluator is
 * installed), and writes the project. A second run changes nothing; an interrupted run is completed by running it
 * again.
 *
 * @param file `-` for standard input.
 * @throws CliError for a file that is not such an export, and when it is interrupted.
 */
export async function importFlags(
  format: FlagFormat,
  file: string,
  values: FlagImportValues,
  terminal: Terminal,
): Promise<void> {
  const contexts = contextsOf(values.compare as string)
  const exported = await readJsonValues(file, terminal)
  const options: ReadOptions = { environmentKey: values.environment }
  const read = format.read(exported, options)
  if (!read.ok) throw cliError(`${file === '-' ? 'standard input' : file}: ${read.at || 'the export'} ${read.reason}`)
  const { moved } = read
  const compared = await compare(format, exported, options, moved, contexts, terminal)
  const report: ImportReport = { format: format.title, moved, ...compared }
  terminal.stdout.write(reportText(report))
  const written = values['dry-run'] === 'on' ? undefined : await writeTo(values, moved, terminal)
  if (written) terminal.stdout.write(writtenText(written))
  if (values.report !== undefined) await writeReport(values.report, { ...report, ...(written ? { written } : {}) })
}

function contextsOf(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw cliError('--compare must be a number of contexts, 0 to 999999')
  return Number(text)
}

/** Compares before anything is written: what cannot be written is reported first. */
async function compare(
  format: FlagFormat,
  exported: readonly unknown[],
  read: ReadOptions,
  moved: MovedProject,
  contexts: number,
  { stderr, signal }: Terminal,
): Promise<Pick<ImportReport, 'comparisons' | 'comparedWith'>> {
  let progress: Progress | undefined
  const at = (done: number) => {
    progress ??= showProgress(stderr, 'flags compared', moved.flags.length)
    progress.at(done)
  }
  const compared = await compareImport(format, exported, moved, { contexts, read, signal, at }).finally(() =>
    progress?.end(),
  )
  const { refused, notCompared, ...comparison } = compared
  for (const { what, why } of refused) stderr.write(`${what} cannot be written: ${why}\n`)
  if (notCompared !== undefined) stderr.write(`not compared with the old rules: ${notCompared}\n`)
  return comparison
}

async function writeTo(values: FlagImportValues, moved: MovedProject, { stderr, signal }: Terminal): Promise<Written> {
  const target: ImportTarget = await openPlace({ ...values, environment: undefined })
  const progress = showProgress(stderr, 'steps', stepsOf(moved))
  try {
    await ensureProject(target)
    return await writeMoved(moved, target, { signal, at: progress.at })
  } finally {
    progress.end()
    await target.close()
  }
}

function writtenText({ flags, segments, refused }: Written): string {
  const counts = (what: string, { created, changed, unchanged }: Written['flags']) =>
    `${what}: ${created} created, ${changed} changed, ${unchanged} unchanged\n`
  const refusals = refused.map(({ what, why }) => `${what} was not written: ${why}\n`)
  const deleted = segments.deleted === 0 ? '' : `unused segments: ${segments.deleted} deleted\n`
  return `${counts('flags', flags)}${counts('segments', segments)}${deleted}${refusals.join('')}`
}

async function writeReport(file: string, report: ImportReport): Promise<void> {
  await writeFile(file, reportJson(report)).catch((error: NodeJS.ErrnoException) => {
    throw cliError(`cannot write ${file}: ${error.code}`, error)
  })
}
