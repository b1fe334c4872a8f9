import { compareAttribute, hasTextOrNumber } from '../conditions/attribute-tests.ts'
import { userKind } from '../conditions/clause.ts'
import { all, always, any, type Condition, never, type Share } from '../conditions/condition.ts'
import { addressCondition, attributeOf, type ConstraintNotes, constraintCondition } from './constraint.ts'
import type { UnleashStrategy } from './export.ts'

/** The contexts for which a strategy enables its feature. */
export interface TranslatedStrategy {
  readonly condition: Condition
  /** Omitted when it enables all contexts that the condition matches. */
  readonly share?: Omit<Share, 'name'>
  /** Set when the strategy only names users. */
  readonly userIds?: readonly string[]
}

/**
 * Translates a strategy.
 *
 * @param segmentCondition returns the condition of membership in a segment, by its id.
 */
export function translateStrategy(
  strategy: UnleashStrategy,
  segmentCondition: (id: number) => Condition,
  notes: ConstraintNotes,
): TranslatedStrategy {
  const constraints = (strategy.constraints ?? []).map((constraint) => constraintCondition(constraint, notes))
  const segments = (strategy.segments ?? []).map(segmentCondition)
  const { condition, share, userIds } = translateParameters(strategy, notes)
  const combined = all(...constraints, ...segments, condition)
  const hasNoConditions = constraints.length + segments.length === 0
  return { condition: combined, ...(share ? { share } : {}), ...(hasNoConditions && userIds ? { userIds } : {}) }
}

function translateParameters({ name, parameters }: UnleashStrategy, notes: ConstraintNotes): TranslatedStrategy {
  const parameter = (name: string) => String(parameters?.[name] ?? '')
  switch (name) {
    case 'default':
      return { condition: always }
    case 'userWithId': {
      const userIds = parameter('userIds')
        .split(/\s*,\s*/)
        .filter((id) => id !== '')
      return { condition: compareAttribute('key', 'in', ...userIds), userIds }
    }
    case 'flexibleRollout':
      return translateRollout(parameter('rollout'), parameter('stickiness') || 'default', notes)
    case 'gradualRolloutUserId':
      return translateRollout(parameter('percentage'), 'userId', notes)
    case 'gradualRolloutSessionId':
      return translateRollout(parameter('percentage'), 'sessionId', notes)
    case 'gradualRolloutRandom':
      return translateRollout(parameter('percentage'), 'random', notes)
    case 'remoteAddress': {
      const ranges = parameter('IPs')
        .split(/\s*,\s*/)
        .filter((range) => range !== '')
      return { condition: addressCondition('remoteAddress', ranges, notes) }
    }
    case 'applicationHostname':
      return translateHosts(parameter('hostNames'), notes)
    default:
      notes.reportLoss({
        what: `strategy ${name}`,
        why: 'it is a custom strategy, which is implemented in your code',
        instead: 'it enables no context; write rules instead',
        affects: 'values',
      })
      return { condition: never }
  }
}

/** Translates a percentage and its stickiness. Unleash supports whole percentages only. */
function translateRollout(rollout: string, stickiness: string, notes: ConstraintNotes): TranslatedStrategy {
  const percent = Math.min(100, Math.floor(rollout.trim() === '' ? Number.NaN : Number(rollout)))
  if (!(percent > 0)) return { condition: never }
  const attribute = stickyAttribute(stickiness)
  const condition = attribute === undefined ? always : hasTextOrNumber(attribute)
  if (percent === 100) return { condition }
  reportShareChange(`rollout of ${percent} percent by ${stickiness}`, stickiness, notes)
  const bucketing = attribute === undefined ? {} : { bucketBy: attribute }
  return { condition, share: { weight: percent * 1000, contextKind: userKind, ...bucketing } }
}

/** Returns the attribute by which contexts are bucketed; undefined for their key. */
export function stickyAttribute(stickiness: string): string | undefined {
  if (stickiness === 'default' || stickiness === 'random') return undefined
  const attribute = attributeOf(stickiness)
  return attribute === 'key' ? undefined : attribute
}

/** Reports that another hash decides which contexts are in a share. */
export function reportShareChange(what: string, stickiness: string, notes: ConstraintNotes): void {
  const random = stickiness === 'random'
  notes.reportLoss({
    what,
    why: random ? 'Unleash decides each request at random' : 'another hash assigns contexts to variations',
    instead: random
      ? 'the same percentage of the keys, and each key always receives the same result'
      : 'the percentage is the same, the contexts differ',
    affects: 'shares',
  })
}

function translateHosts(hostNames: string, notes: ConstraintNotes): TranslatedStrategy {
  const names = hostNames
    .toLowerCase()
    .split(/\s*,\s*/)
    .filter((name) => name !== '')
  notes.reportLoss({
    what: 'strategy applicationHostname',
    why: 'rules do not know the host that evaluates a flag',
    instead: 'the rule tests the attribute hostname: send it with each context, in lower case',
    affects: 'values',
  })
  return { condition: any(compareAttribute('hostname', 'in', ...names)) }
}
