import { hasTextOrNumber, test } from '../conditions/attribute-tests.ts'
import { userKind } from '../conditions/clause.ts'
import { all, always, any, type Condition, never, type Share } from '../conditions/condition.ts'
import { addressCondition, attributeOf, type ConstraintNotes, constraintCondition } from './constraint.ts'
import type { UnleashStrategy } from './export.ts'

/** Whom a strategy enables its feature for. */
export interface ToldStrategy {
  readonly condition: Condition
  /** Left out where it enables all whom the condition matches. */
  readonly share?: Omit<Share, 'name'>
  /** Set where it names users and asks for nothing else. */
  readonly userIds?: readonly string[]
}

/**
 * Reads what a strategy asks for.
 *
 * @param segmentCondition whether a context is in a segment, by its id.
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
        why: 'it is one of your own, and what it does is in your code',
        instead: 'it enables nobody; say it with rules',
        affects: 'values',
      })
      return { condition: never }
  }
}

/** A hundredth part is the least that Unleash deals. */
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

/** The attribute that contexts are dealt by; undefined for their key. */
export function stickyAttribute(stickiness: string): string | undefined {
  if (stickiness === 'default' || stickiness === 'random') return undefined
  const attribute = attributeOf(stickiness)
  return attribute === 'key' ? undefined : attribute
}

/** Tells that a share is dealt anew. */
export function tellShares(what: string, stickiness: string, notes: ConstraintNotes): void {
  const random = stickiness === 'random'
  notes.lose({
    what,
    why: random ? 'every question was dealt anew' : 'contexts are dealt by another hash',
    instead: random ? 'the same share of the keys, and each key keeps its side' : 'the same share, of other contexts',
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
    why: 'rules do not know the host that asks',
    instead: 'it asks for the attribute hostname: give it with each context, in lower case',
    affects: 'values',
  })
  return { condition: any(test('hostname', 'in', ...names)) }
}
