import { fail } from '../../operation/errors.ts'
import type { EvaluationContext } from '../../rules/evaluation/index.ts'
import {
  type MigrationSafetyIssue,
  migrationSafetyIssues,
} from '../../rules/migration-safety/migration-safety-issues.ts'
import { type Affected, affectedBy, segmentsBehind } from './affected.ts'
import { compareFlag, compareMemberships, compareVariations, isMember } from './compare-answers.ts'
import type { ComparedEnvironment } from './compared-environment.ts'
import type { SimulatedSegment, Simulation } from './simulation.ts'

type Answers = Pick<Simulation, 'kind' | 'contexts' | 'changed' | 'segments' | 'flags' | 'migrationSafetyIssues'>

/** Maximum number of evaluations before and after a change: a second or two, during which the process is blocked. */
const mostAnswers = 1_000_000

/** Maximum number of rules whose pairwise comparison is fast, as in `postMigrationSafetyIssues`. */
const mostRules = 500

/** Compares contexts before and after a change of a flag, for the flag and all that depends on it. */
export function simulatedFlagChange(
  environment: ComparedEnvironment,
  flagKey: string,
  contexts: readonly EvaluationContext[],
): Answers {
  const affected = affectedBy(environment, { flags: new Set([flagKey]), segments: new Set() })
  const before = segmentsBehind(environment.before, flagKey)
  const after = segmentsBehind(environment.after, flagKey)
  const segmentKeys = new Set([...before, ...after])
  refuseTooMany(contexts, affected.flags.size + segmentKeys.size)
  const compared = compareVariations(environment, flagKey, contexts)
  return {
    kind: 'flag',
    contexts: compared,
    changed: compared.filter(({ changed }) => changed).length,
    segments: sorted(segmentKeys).map((key) => ({
      ...comparedSegment(environment, key, contexts),
      askedFor: { before: before.has(key), after: after.has(key) },
    })),
    flags: comparedFlags(environment, affected, flagKey, contexts),
    migrationSafetyIssues: issuesOf(environment, flagKey),
  }
}

/** Compares contexts before and after a change of a segment. */
export function simulatedSegmentChange(
  environment: ComparedEnvironment,
  segmentKey: string,
  contexts: readonly EvaluationContext[],
): Answers {
  const affected = affectedBy(environment, { flags: new Set(), segments: new Set([segmentKey]) })
  refuseTooMany(contexts, affected.flags.size + affected.segments.size)
  const compared = compareMemberships(environment, segmentKey, contexts)
  return {
    kind: 'segment',
    contexts: compared,
    changed: compared.filter(({ changed }) => changed).length,
    segments: sorted(affected.segments).map((key) => comparedSegment(environment, key, contexts)),
    flags: comparedFlags(environment, affected, undefined, contexts),
    migrationSafetyIssues: [],
  }
}

function refuseTooMany(contexts: readonly EvaluationContext[], things: number): void {
  const most = Math.floor(mostAnswers / Math.max(things, 1))
  if (contexts.length <= most) return
  const reason = `must contain at most ${most} contexts, because ${things} flags and segments are evaluated for each`
  fail('invalid_request', { errors: [{ attribute: 'contexts', reason }] })
}

function comparedFlags(
  environment: ComparedEnvironment,
  { flags }: Affected,
  itself: string | undefined,
  contexts: readonly EvaluationContext[],
) {
  const others = sorted(flags).filter((key) => key !== itself)
  return others.map((key) => compareFlag(environment, key, contexts))
}

function comparedSegment(
  { before, after }: ComparedEnvironment,
  key: string,
  contexts: readonly EvaluationContext[],
): SimulatedSegment {
  return {
    key,
    name: (after.segments.get(key) ?? before.segments.get(key))?.name ?? key,
    before: contexts.filter((context) => isMember(before, key, context)).length,
    after: contexts.filter((context) => isMember(after, key, context)).length,
  }
}

/** @throws ApiError `invalid_request` for a flag with too many rules. */
function issuesOf({ before, after }: ComparedEnvironment, flagKey: string): readonly MigrationSafetyIssue[] {
  const [was, is] = [before.flags.get(flagKey), after.flags.get(flagKey)]
  if (!was?.flag.migrationSettings || !is) return []
  if (Math.max(was.config.rules.length, is.config.rules.length) > mostRules) {
    const reason = `must be the key of a flag with at most ${mostRules} rules, because it is a migration flag`
    return fail('invalid_request', { errors: [{ attribute: 'flagKey', reason }] })
  }
  return migrationSafetyIssues(was.flag.migrationSettings.stageCount, was.config, is.config)
}

function sorted(keys: ReadonlySet<string>): string[] {
  return [...keys].sort()
}
