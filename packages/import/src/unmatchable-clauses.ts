import { unmatchableReason } from '@halyard/core/evaluation'
import type { Clause } from './conditions/clause.ts'
import type { ReadExport } from './flag-format.ts'
import type { ImportedProject, Loss } from './imported-project.ts'

/**
 * Replaces clauses that no context can match. The API rejects these, and accepts the replacement, a test for an empty
 * key, which no context has either. The rules remain, and each replaced clause is reported as a loss.
 */
export function withoutUnmatchableClauses(read: ReadExport): ReadExport {
  return read.ok ? { ...read, importedProject: replaceClauses(read.importedProject) } : read
}

type LossSource = Pick<Loss, 'flag' | 'segment' | 'environment'>

function replaceClauses(importedProject: ImportedProject): ImportedProject {
  const losses: Loss[] = []
  const replaceIn = <R extends { readonly clauses: readonly Clause[] }>(rules: readonly R[], source: LossSource): R[] =>
    rules.map((rule) => ({
      ...rule,
      clauses: rule.clauses.map((clause) => {
        const loss = lossOf(clause, source)
        if (!loss) return clause
        losses.push(loss)
        return { ...clause, attribute: 'key', op: 'in', values: [''], negate: false }
      }),
    }))
  const segments = importedProject.segments.map((segment) => {
    const source = { segment: segment.key, environment: segment.environmentKey }
    return { ...segment, rules: replaceIn(segment.rules, source) }
  })
  const flags = importedProject.flags.map((flag) => ({
    ...flag,
    configs: Object.fromEntries(
      Object.entries(flag.configs).map(([environment, config]) => [
        environment,
        { ...config, rules: replaceIn(config.rules, { flag: flag.key, environment }) },
      ]),
    ),
  }))
  return { ...importedProject, segments, flags, losses: [...importedProject.losses, ...losses] }
}

/** Returns the loss to report for a clause that no context can match; undefined for any other clause. */
function lossOf(clause: Clause, source: LossSource): Loss | undefined {
  const reason = unmatchableReason(clause)
  if (reason === undefined) return undefined
  // If the clause would match nothing with the operator `in` and a value either, its attribute is the reason.
  const isMalformed =
    unmatchableReason({ ...clause, op: 'in', values: [''] }) !== undefined && clause.op !== 'segmentMatch'
  return {
    ...source,
    what: `a clause ${clause.attribute} ${clause.op} ${JSON.stringify(clause.values)}`,
    why: `no context can match it: it ${reason}`,
    instead: 'another clause that no context matches',
    // In the export, a clause with an invalid attribute makes the whole flag malformed.
    affects: isMalformed ? 'values' : 'nothing',
  }
}
