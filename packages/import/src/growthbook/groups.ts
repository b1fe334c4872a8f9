import { userClause } from '../conditions/clause.ts'
import { compileCondition } from '../conditions/compile-condition.ts'
import { type Condition, never } from '../conditions/condition.ts'
import type { SegmentPool } from '../conditions/segment-pool.ts'
import { leaveOut, longestValue, type Telling } from '../conditions/told.ts'
import { createKeyList, nameOf } from '../moved-names.ts'
import { emptySegment, type MovedSegment, type MovedSegmentRule } from '../moved-project.ts'
import { attributeAt, conditionOf, type GroupTest } from './condition.ts'
import type { GrowthBookCondition, GrowthBookGroup } from './payload.ts'

/** Maximum number of values in the clauses of a segment. */
const mostValues = 50_000

type Group = Exclude<GrowthBookGroup, readonly unknown[]>

/** The saved groups of an environment as segments, each created when the first condition refers to it. */
export interface MovedGroups {
  readonly test: GroupTest
  readonly made: () => readonly MovedSegment[]
}

export function createGroups(
  groups: Readonly<Record<string, GrowthBookGroup>>,
  environmentKey: string,
  pool: SegmentPool,
): MovedGroups {
  const keys = createKeyList(Object.keys(groups))
  const made = new Map<string, MovedSegment>()
  const open = new Set<string>()

  function test(telling: Telling, id: unknown, attribute: string | undefined): Condition {
    const group =
      typeof id === 'string' && Object.hasOwn(groups, id) ? asObject(groups[id] as GrowthBookGroup) : undefined
    if (!group || typeof id !== 'string') return never
    const by = group.type === 'list' ? (attribute ?? attributeAt(group.attributeKey ?? '')) : undefined
    const name = by === undefined || isOwn(group, by) ? id : `${id} by ${by}`
    const key = keys.keyOf(name)
    if (!made.has(key)) {
      if (open.has(id)) return never
      open.add(id)
      const rules = rulesOf(telling, group, by)
      open.delete(id)
      if (!rules) return cannotBe(telling, id)
      const description = `Saved group ${id}.`
      made.set(key, { ...emptySegment(environmentKey, key, nameOf(name)), description, rules })
    }
    return { kind: 'segment', key }
  }

  function rulesOf(telling: Telling, group: Group, by: string | undefined): readonly MovedSegmentRule[] | undefined {
    if (group.type === 'list') return by === undefined ? [] : listRules(by, group.values ?? [])
    const condition = group.type === 'condition' ? objectOf(group.condition) : undefined
    if (!condition) return undefined
    const told = conditionOf({ negated: false, untold: telling.untold }, condition, test)
    return compileCondition(told, pool).map((clauses) => ({ clauses }))
  }

  return { test, made: () => [...made.values()] }
}

function asObject(group: GrowthBookGroup): Group {
  return Array.isArray(group) ? { type: 'list', values: group } : (group as Group)
}

/** A group without an attribute of its own has no attribute in its name. */
function isOwn({ attributeKey }: Group, by: string): boolean {
  return attributeKey ? attributeAt(attributeKey) === by : by === 'key'
}

function listRules(attribute: string, values: readonly (string | number)[]): readonly MovedSegmentRule[] | undefined {
  if (values.length === 0) return []
  const long = values.some((value) => typeof value === 'string' && value.length > longestValue)
  return long || values.length > mostValues ? undefined : [{ clauses: [userClause(attribute, 'in', values)] }]
}

function cannotBe(telling: Telling, id: string): Condition {
  const why = `it is of an unknown type, or has more than ${mostValues} values, or values longer than ${longestValue} characters`
  return leaveOut(
    telling,
    `saved group ${id}`,
    why,
    'make a big segment with `halyard import segment`, and a rule that refers to it',
  )
}

/** The management API returns a condition as text. */
function objectOf(condition: Group['condition']): GrowthBookCondition | undefined {
  if (typeof condition !== 'string') return condition ?? undefined
  try {
    return JSON.parse(condition)
  } catch {
    return undefined
  }
}
