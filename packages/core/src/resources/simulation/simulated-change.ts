import { fail } from '../../operation/errors.ts'
import type { EvaluationContext } from '../../rules/evaluation/index.ts'
import {
  type MigrationSafetyIssue,
  migrationSafetyIssues,
} from '../../rules/migration-safety/migration-safety-issues.ts'
import { affectedBy, segmentsUsedBy } from './affected.ts'
import { compareFlag, compareMemberships, compareVariations, isMember } from './compare-evaluations.ts'
import type { ComparedEnvironment } from './compared-environment.ts'
import type { SimulatedSegment, Simulation } from './simulation.ts'

type ComparisonResult = Pick<
  Simulation,
  'kind' | 'contexts' | 'changed' | 'segments' | 'flags' | 'aiConfigs' | 'migrationSafetyIssues'
>

/**
 * Maximum number of evaluations before and after a change. They take a second or two, during which the process is
 * blocked.
 */
export const maxEvaluations = 1_000_000

/** Maximum number of rules whose pairwise comparison is fast, as in `postMigrationSafetyIssues`. */
const maxRules = 500

/** Compares contexts before and after a change of a flag, for the flag and all that depends on it. */
export function simulatedFlagChange(
  environment: ComparedEnvironment,
  flagKey: string,
  contexts: readonly EvaluationContext[],
): ComparisonResult {
  const affected = affectedBy(environment, { flags: new Set([flagKey]), segments: new Set() })
  return {
    kind: 'flag',
    ...comparedTargeting(environment, flagKey, contexts, affected.flags.size),
    flags: comparedFlags(environment, affected.flags, flagKey, contexts),
    aiConfigs: [],
    migrationSafetyIssues: issuesOf(environment, flagKey),
  }
}

/** Compares contexts before and after a change of an AI config, on which no flag depends. */
export function simulatedConfigChange(
  environment: ComparedEnvironment,
  configKey: string,
  contexts: readonly EvaluationContext[],
): ComparisonResult {
  return {
    kind: 'aiconfig',
    ...comparedTargeting(environment, configKey, contexts, 1),
    flags: [],
    aiConfigs: [],
    migrationSafetyIssues: [],
  }
}

/** Compares the variations of a flag or an AI config, and the segments in its rules. */
function comparedTargeting(
  environment: ComparedEnvironment,
  key: string,
  contexts: readonly EvaluationContext[],
  evaluatedFlags: number,
): Pick<Simulation, 'contexts' | 'changed' | 'segments'> {
  const before = segmentsUsedBy(environment.before, key)
  const after = segmentsUsedBy(environment.after, key)
  const segmentKeys = new Set([...before, ...after])
  refuseTooManyContexts(contexts, evaluatedFlags + segmentKeys.size)
  const compared = compareVariations(environment, key, contexts)
  return {
    contexts: compared,
    changed: compared.filter(({ changed }) => changed).length,
    segments: sorted(segmentKeys).map(
      (segmentKey): SimulatedSegment => ({
        ...comparedSegment(environment, segmentKey, contexts),
        referenced: { before: before.has(segmentKey), after: after.has(segmentKey) },
      }),
    ),
  }
}

/** Compares contexts before and after a change of a segment. */
export function simulatedSegmentChange(
  environment: ComparedEnvironment,
  segmentKey: string,
  contexts: readonly EvaluationContext[],
): ComparisonResult {
  const affected = affectedBy(environment, { flags: new Set(), segments: new Set([segmentKey]) })
  const { flags, segments, aiConfigs } = affected
  refuseTooManyContexts(contexts, flags.size + segments.size + aiConfigs.size)
  const compared = compareMemberships(environment, segmentKey, contexts)
  return {
    kind: 'segment',
    contexts: compared,
    changed: compared.filter(({ changed }) => changed).length,
    segments: sorted(segments).map((key) => comparedSegment(environment, key, contexts)),
    flags: comparedFlags(environment, flags, undefined, contexts),
    aiConfigs: comparedFlags(environment, aiConfigs, undefined, contexts),
    migrationSafetyIssues: [],
  }
}

function refuseTooManyContexts(contexts: readonly EvaluationContext[], resourceCount: number): void {
  const maxContexts = Math.floor(maxEvaluations / Math.max(resourceCount, 1))
  if (contexts.length <= maxContexts) return
  const reason = `must contain at most ${maxContexts} contexts, because ${resourceCount} flags, segments and AI configs are evaluated for each`
  fail('invalid_request', { errors: [{ attribute: 'contexts', reason }] })
}

function comparedFlags(
  environment: ComparedEnvironment,
  keys: ReadonlySet<string>,
  changedKey: string | undefined,
  contexts: readonly EvaluationContext[],
) {
  const otherKeys = sorted(keys).filter((key) => key !== changedKey)
  return otherKeys.map((key) => compareFlag(environment, key, contexts))
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
  const [flagBefore, flagAfter] = [before.flags.get(flagKey), after.flags.get(flagKey)]
  if (!flagBefore?.flag.migrationSettings || !flagAfter) return []
  if (Math.max(flagBefore.config.rules.length, flagAfter.config.rules.length) > maxRules) {
    const reason = `must be the key of a flag with at most ${maxRules} rules, because it is a migration flag`
    return fail('invalid_request', { errors: [{ attribute: 'flagKey', reason }] })
  }
  return migrationSafetyIssues(flagBefore.flag.migrationSettings.stageCount, flagBefore.config, flagAfter.config)
}

function sorted(keys: ReadonlySet<string>): string[] {
  return [...keys].sort()
}
