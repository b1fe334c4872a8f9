import { writeFile } from 'node:fs/promises'
import { cliError, interruption } from '../../cli-error.ts'
import type { Terminal } from '../../command.ts'
import type { OptionDeclaration } from '../../flags-and-environment.ts'
import { showProgress } from '../../progress.ts'
import { ensureProject, type ImportTarget, openPlace, targetOptions } from '../import-target.ts'
import { type Comparison, compareProject } from './comparison/differential.ts'
import { loadPeer } from './comparison/load-peer.ts'
import { type Rehearsal, rehearse } from './comparison/rehearse.ts'
import {
  type FlagFormat,
  type OldEvaluator,
  type OldEvaluatorMaker,
  presetEnvironment,
  type ReadOptions,
} from './flag-format.ts'
import { type ImportReport, reportJson, reportText } from './loss-report.ts'
import type { MovedProject } from './moved-project.ts'
import { readJsonValues } from './read-json-values.ts'
import { stepsOf, type Written, writeMoved } from './write-moved.ts'

const { environment: _, ...placeOptions } = targetOptions

/** The options of an import of flags. */
export const flagImportOptions = {
  ...placeOptions,
  environment: {
    type: 'string',
    help: `environment to fill with an export of one, and of several the only one that is taken (default its own name, or ${presetEnvironment})`,
  },
  'dry-run': { type: 'boolean', help: 'write nothing, and tell what would be lost and differ' },
  report: { type: 'string', help: 'file to write the whole report to, as JSON' },
  compare: {
    type: 'string',
    preset: '1000',
    help: 'contexts on which each flag is compared, old rules against new; 0: none',
  },
} as const satisfies Record<string, OptionDeclaration>

export type FlagImportValues = Readonly<Record<keyof typeof flagImportOptions, string | undefined>>

/**
 * Imports flags, segments and environments from an export of another service: tells what is lost, flag by flag; compares old
 * rules with new ones on sampled contexts, where the vendor's own evaluator is installed; and writes what was read. A second
 * run changes nothing; one that was cut off is run again.
 *
 * @param file `-` for standard input.
 * @throws CliError for a file that is no such export, and when it is interrupted.
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

type Compared = Pick<ImportReport, 'comparisons' | 'comparedWith'>

/** The rehearsal is made in any case: what cannot be written is told before anything is. */
async function compare(
  { evaluator }: FlagFormat,
  exported: readonly unknown[],
  options: ReadOptions,
  moved: MovedProject,
  contexts: number,
  terminal: Terminal,
): Promise<Compared> {
  const rehearsal = await rehearse(moved, terminal.signal)
  try {
    for (const { what, why } of rehearsal.written.refused) terminal.stderr.write(`${what} cannot be written: ${why}\n`)
    if (contexts === 0 || !evaluator) return {}
    const old = await openOld(evaluator, exported, options, terminal)
    if (!old) return {}
    try {
      const comparisons = await compareAll(moved, { ...rehearsal, old }, contexts, terminal)
      return { comparedWith: evaluator.package, comparisons }
    } finally {
      await old.close()
    }
  } finally {
    await rehearsal.close()
  }
}

/** An evaluator that is not there, or that does not take the export, keeps nobody from importing it. */
async function openOld(
  { package: name, open }: OldEvaluatorMaker,
  exported: readonly unknown[],
  options: ReadOptions,
  { stderr }: Terminal,
): Promise<OldEvaluator | undefined> {
  const library = await loadPeer(name)
  if (library === undefined) {
    stderr.write(`not compared with the old rules: install ${name} for that\n`)
    return undefined
  }
  try {
    return await open(library, exported, options)
  } catch (error) {
    stderr.write(`not compared with the old rules: ${name} says ${(error as Error).message}\n`)
    return undefined
  }
}

async function compareAll(
  moved: MovedProject,
  sides: Pick<Rehearsal, 'now'> & Parameters<typeof compareProject>[1],
  contexts: number,
  { stderr, signal }: Terminal,
): Promise<readonly Comparison[]> {
  const progress = showProgress(stderr, 'flags compared', moved.flags.length)
  try {
    return await compareProject(moved, sides, { contexts, signal, at: progress.at })
  } catch (error) {
    throw signal.aborted ? interruption('nothing was written') : error
  } finally {
    progress.end()
  }
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
    `${what}: ${created} created, ${changed} changed, ${unchanged} as they were\n`
  const refusals = refused.map(({ what, why }) => `${what} was not written: ${why}\n`)
  const deleted = segments.deleted === 0 ? '' : `segments that nothing asks for any more: ${segments.deleted} deleted\n`
  return `${counts('flags', flags)}${counts('segments', segments)}${deleted}${refusals.join('')}`
}

async function writeReport(file: string, report: ImportReport): Promise<void> {
  await writeFile(file, reportJson(report)).catch((error: NodeJS.ErrnoException) => {
    throw cliError(`cannot write ${file}: ${error.code}`, error)
  })
}
