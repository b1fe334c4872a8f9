import { hasTextOrNumber, test } from '../conditions/attribute-tests.ts'
import { userKind } from '../conditions/clause.ts'
import { all, always, any, type Condition, never, type Share } from '../conditions/condition.ts'
import { addressCondition, attributeOf, type ConstraintNotes, constraintCondition } from './constraint.ts'
import type { UnleashStrategy } from './export.ts'

/** The contexts for which a strategy enables its feature. */
export interface ToldStrategy {
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
export function tellStrategy(
  strategy: UnleashStrategy,
  segmentCondition: (id: number) => Condition,
  notes: ConstraintNotes,
): ToldStrategy {
  const constraints = (strategy.constraints ?? []).map((one) => constraintCondition(one, notes))
  const segments = (strategy.segments ?? []).map(segmentCondition)
  const { condition, share, userIds } = tellParameters(strategy, notes)
  const whole = all(...constraints, ...segments, condition)
  const plain = constraints.length + segments.length === 0
  return { condition: whole, ...(share ? { share } : {}), ...(plain && userIds ? { userIds } : {}) }
}

function tellParameters({ name, parameters }: UnleashStrategy, notes: ConstraintNotes): ToldStrategy {
  const given = (member: string) => String(parameters?.[member] ?? '')
  switch (name) {
    case 'default':
      return { condition: always }
    case 'userWithId': {
      const userIds = given('userIds')
        .split(/\s*,\s*/)
        .filter((id) => id !== '')
      return { condition: test('key', 'in', ...userIds), userIds }
    }
    case 'flexibleRollout':
      return tellRollout(given('rollout'), given('stickiness') || 'default', notes)
    case 'gradualRolloutUserId':
      return tellRollout(given('percentage'), 'userId', notes)
    case 'gradualRolloutSessionId':
      return tellRollout(given('percentage'), 'sessionId', notes)
    case 'gradualRolloutRandom':
      return tellRollout(given('percentage'), 'random', notes)
    case 'remoteAddress': {
      const ranges = given('IPs')
        .split(/\s*,\s*/)
        .filter((range) => range !== '')
      return { condition: addressCondition('remoteAddress', ranges, notes) }
    }
    case 'applicationHostname':
      return tellHosts(given('hostNames'), notes)
    default:
      notes.lose({
        what: `strategy ${name}`,
        why: 'it is a custom strategy, which is implemented in your code',
        instead: 'it enables no context; write rules instead',
        affects: 'values',
      })
      return { condition: never }
  }
}

/** Unleash supports whole percentages only. */
function tellRollout(rollout: string, stickiness: string, notes: ConstraintNotes): ToldStrategy {
  const percent = Math.min(100, Math.floor(rollout.trim() === '' ? Number.NaN : Number(rollout)))
  if (!(percent > 0)) return { condition: never }
  const attribute = stickyAttribute(stickiness)
  const condition = attribute === undefined ? always : hasTextOrNumber(attribute)
  if (percent === 100) return { condition }
  tellShares(`rollout of ${percent} percent by ${stickiness}`, stickiness, notes)
  const by = attribute === undefined ? {} : { bucketBy: attribute }
  return { condition, share: { weight: percent * 1000, contextKind: userKind, ...by } }
}

/** Returns the attribute that contexts are bucketed by; undefined for their key. */
export function stickyAttribute(stickiness: string): string | undefined {
  if (stickiness === 'default' || stickiness === 'random') return undefined
  const attribute = attributeOf(stickiness)
  return attribute === 'key' ? undefined : attribute
}

/** Reports that another hash decides which contexts are in a share. */
export function tellShares(what: string, stickiness: string, notes: ConstraintNotes): void {
  const random = stickiness === 'random'
  notes.lose({
    what,
    why: random ? 'each request was decided at random' : 'another hash assigns contexts to variations',
    instead: random ? 'the same percentage of the keys, and each key always receives the same result' : 'the percentage is the same, the contexts differ',
    affects: 'shares',
  })
}

function tellHosts(hostNames: string, notes: ConstraintNotes): ToldStrategy {
  const names = hostNames
    .toLowerCase()
    .split(/\s*,\s*/)
    .filter((name) => name !== '')
  notes.lose({
    what: 'strategy applicationHostname',
    why: 'rules do not know the host that evaluates a flag',
    instead: 'the rule tests the attribute hostname: send it with each context, in lower case',
    affects: 'values',
  })
  return { condition: any(test('hostname', 'in', ...names)) }
}
