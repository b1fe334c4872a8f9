import type { FlagFormat, OldEvaluator, OldEvaluatorFactory, ReadOptions } from '../flag-format.ts'
import type { ImportedProject } from '../imported-project.ts'
import { interruption } from '../interruption.ts'
import type { Refusal } from '../refusal.ts'
import { type Comparison, type ComparisonOptions, compareProject, type Sides } from './differential.ts'
import { dryRunImport } from './dry-run-import.ts'
import { loadPeer } from './load-peer.ts'

/** Options of {@link compareImport}. */
export interface CompareImportOptions extends Partial<ComparisonOptions> {
  /** The options with which the export was read. */
  readonly read?: ReadOptions
}

/** Result of {@link compareImport}. */
export interface ImportComparison {
  /** Flags and segments that an engine refuses. */
  readonly refused: readonly Refusal[]
  /** The comparison of each flag in each environment; undefined when nothing was compared. */
  readonly comparisons?: readonly Comparison[]
  /** The package whose evaluator the flags were compared with. */
  readonly comparedWith?: string
  /** The reason why nothing was compared although the format has an evaluator. */
  readonly notCompared?: string
}

/**
 * Writes an import to an engine in memory, and compares each flag with the evaluator of the other service. The
 * evaluator is an optional peer dependency: when it is not installed, or rejects the export, nothing is compared.
 *
 * @param format the format with which the export was read.
 * @param exported the JSON values of the export.
 * @param project the result of `format.read` for them.
 * @param options `contexts`: the number of contexts with which each flag is evaluated, 0 for none. Default: 1,000.
 * @throws Interruption when the signal is aborted.
 *
 * @example
 * ```ts
 * import { compareImport, flagdFormat } from '@halyard/import'
 *
 * const exported = [{ flags: { beta: { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'on' } } }]
 * const read = flagdFormat.read(exported, { environmentKey: 'production' })
 * if (!read.ok) throw new Error(`${read.at} ${read.reason}`)
 * const { refused } = await compareImport(flagdFormat, exported, read.importedProject, { contexts: 10 })
 * console.log(refused.length) // 0
 * ```
 */
export async function compareImport(
  format: FlagFormat,
  exported: readonly unknown[],
  project: ImportedProject,
  options: CompareImportOptions = {},
): Promise<ImportComparison> {
  const { contexts = 1_000, signal = new AbortController().signal, onProgress } = options
  const dryRun = await dryRunImport(project, signal)
  try {
    const { refused } = dryRun.written
    if (contexts === 0 || !format.evaluator) return { refused }
    const opened = await openEvaluator(format.evaluator, exported, options.read ?? {})
    if (!opened.ok) return { refused, notCompared: opened.reason }
    const sides = { old: opened.evaluator, now: dryRun.now }
    const comparisons = await compareAndClose(project, sides, { contexts, signal, onProgress })
    return { refused, comparedWith: format.evaluator.package, comparisons }
  } finally {
    await dryRun.close()
  }
}

type OpenedEvaluator =
  | { readonly ok: true; readonly evaluator: OldEvaluator }
  | { readonly ok: false; readonly reason: string }

async function openEvaluator(
  { package: name, open }: OldEvaluatorFactory,
  exported: readonly unknown[],
  options: ReadOptions,
): Promise<OpenedEvaluator> {
  const library = await loadPeer(name)
  if (library === undefined) return { ok: false, reason: `install ${name} to compare` }
  try {
    return { ok: true, evaluator: await open(library, exported, options) }
  } catch (error) {
    return { ok: false, reason: `${name} reports ${(error as Error).message}` }
  }
}

async function compareAndClose(
  project: ImportedProject,
  sides: Sides,
  options: ComparisonOptions,
): Promise<readonly Comparison[]> {
  try {
    return await compareProject(project, sides, options)
  } catch (error) {
    throw options.signal?.aborted ? interruption('nothing was written') : error
  } finally {
    await sides.old.close()
  }
}
