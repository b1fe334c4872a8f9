import type { Comparison } from './comparison/differential.ts'
import type { ImportedProject, Loss, LossEffect } from './imported-project.ts'
import type { WriteResult } from './write-project.ts'

/** Everything that is reported about an import. */
export interface ImportReport {
  readonly format: string
  readonly importedProject: ImportedProject
  /** Omitted when nothing was compared. */
  readonly comparisons?: readonly Comparison[]
  /** Name of the package with the evaluator of the original rules. */
  readonly comparedWith?: string
  /** Omitted when nothing was written. */
  readonly written?: WriteResult
}

/**
 * Returns the report as JSON: each flag with its losses and the result of its comparison.
 *
 * @example
 * ```ts
 * import { flagdFormat, reportJson } from '@halyard/import'
 *
 * const exported = [{ flags: { beta: { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'on' } } }]
 * const read = flagdFormat.read(exported, { environmentKey: 'production' })
 * if (!read.ok) throw new Error(`${read.at} ${read.reason}`)
 * const report = reportJson({ format: flagdFormat.title, importedProject: read.importedProject })
 * console.log(JSON.parse(report).flags[0].key) // beta
 * ```
 */
export function reportJson({ format, importedProject, comparisons, comparedWith, written }: ImportReport): string {
  const { flags, segments, losses } = importedProject
  const report = {
    format,
    ...(comparedWith === undefined ? {} : { comparedWith }),
    flags: flags.map(({ key, from }) => ({
      key,
      from,
      losses: losses.filter(({ flag }) => flag === key).map(({ flag: _, ...loss }) => loss),
      ...(comparisons
        ? {
            comparisons: comparisons.filter(({ flag }) => flag === key).map(({ flag: _, ...comparison }) => comparison),
          }
        : {}),
    })),
    segments: segments.map(({ key, environmentKey }) => ({
      key,
      environment: environmentKey,
      losses: losses.filter((loss) => loss.segment === key && loss.environment === environmentKey),
    })),
    losses: losses.filter(({ flag, segment }) => flag === undefined && segment === undefined),
    advice: importedProject.advice,
    ...(written ? { written } : {}),
  }
  return `${JSON.stringify(report, null, 2)}\n`
}

/**
 * Returns the report as text for users: losses and differences by flag, and one line for all flags without losses or
 * differences.
 *
 * @example
 * ```ts
 * import { flagdFormat, reportText } from '@halyard/import'
 *
 * const exported = [{ flags: { beta: { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'on' } } }]
 * const read = flagdFormat.read(exported, { environmentKey: 'production' })
 * if (!read.ok) throw new Error(`${read.at} ${read.reason}`)
 * const text = reportText({ format: flagdFormat.title, importedProject: read.importedProject })
 * console.log(text.split('\n')[0]) // flagd: 1 flag and 0 segments in production
 * ```
 */
export function reportText(report: ImportReport): string {
  const { importedProject, comparisons = [] } = report
  const { flags, losses } = importedProject
  const flagLines = flags.flatMap(({ key }) => {
    const lines = [
      ...losses.filter(({ flag }) => flag === key).map(lossText),
      ...comparisons.filter(({ flag }) => flag === key).flatMap(differenceText),
    ]
    return lines.length === 0 ? [] : [['', key, ...lines]]
  })
  const flagsWithoutLosses = flags.length - flagLines.length
  return `${[
    headline(report),
    ...flagLines.flat(),
    ...section('other losses', losses.filter(({ flag }) => flag === undefined).map(lossText)),
    '',
    ...(flagsWithoutLosses > 0 ? [`${countOf(flagsWithoutLosses, 'flag')} without losses`] : []),
    ...summary(report),
    ...section(
      'notes',
      importedProject.advice.map((sentence) => `  ${sentence}`),
    ),
  ].join('\n')}\n`
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines]
}

function headline({ format, importedProject }: ImportReport): string {
  const environmentKeys = importedProject.environments.map(({ key }) => key).join(', ')
  return `${format}: ${countOf(importedProject.flags.length, 'flag')} and ${countOf(importedProject.segments.length, 'segment')} in ${environmentKeys}`
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function lossText({ segment, environment, at, what, why, instead, affects }: Loss): string {
  const about = [segment && `segment ${segment}`, environment && `in ${environment}`].filter(Boolean).join(' ')
  const position = [about, at && `at ${at}`].filter(Boolean).join(', ')
  return `  ${lossLabels[affects]} ${what}${position === '' ? '' : ` (${position})`}: ${why}; ${instead}`
}

const lossLabels: Readonly<Record<LossEffect, string>> = {
  values: 'values may change:',
  shares: 'rollout recomputed:',
  nothing: 'not imported:',
}

function differenceText({ environment, verdict, contexts, differing, example }: Comparison): string[] {
  if (verdict !== 'differs' || !example) return []
  const { context, old, now } = example
  const [original, imported] = [old, now].map(
    ({ value, why }) => `${value === undefined ? 'the default in code' : JSON.stringify(value)} (${why})`,
  )
  return [
    `  differs in ${environment} for ${differing} of ${contexts} contexts, e.g. ${JSON.stringify(context)}:`,
    `    ${original} in the original, ${imported} in Halyard`,
  ]
}

function summary({ importedProject: { losses }, comparisons, comparedWith }: ImportReport): string[] {
  const count = (effect: LossEffect) => losses.filter(({ affects }) => affects === effect).length
  const lossCounts = `losses: ${count('values')} that may change values, ${count('shares')} that recompute a rollout, ${count('nothing')} without effect on evaluation`
  if (!comparisons) return [lossCounts]
  const verdicts = (['same', 'by-rollout', 'differs'] as const).map(
    (verdict) =>
      `${comparisons.filter((comparison) => comparison.verdict === verdict).length} ${verdictLabels[verdict]}`,
  )
  return [lossCounts, `compared with ${comparedWith}: ${verdicts.join(', ')}`]
}

const verdictLabels = { same: 'same', 'by-rollout': 'with the same shares', differs: 'differ' } as const
