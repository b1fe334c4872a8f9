import { userClause } from '../conditions/clause.ts'
import { compileCondition } from '../conditions/compile-condition.ts'
import { type Condition, never } from '../conditions/condition.ts'
import type { SegmentPool } from '../conditions/segment-pool.ts'
import { maxValueLength, omitCondition, type Translation } from '../conditions/translation.ts'
import { createKeyList, nameOf } from '../imported-names.ts'
import { emptySegment, type ImportedSegment, type ImportedSegmentRule } from '../imported-project.ts'
import { attributeAt, conditionOf, type GroupTest } from './condition.ts'
import type { GrowthBookCondition, GrowthBookGroup } from './payload.ts'

/** Maximum number of values in the clauses of a segment. */
const maxValues = 50_000

type Group = Exclude<GrowthBookGroup, readonly unknown[]>

/** The saved groups of an environment as segments, each created when the first condition refers to it. */
export interface ImportedGroups {
  readonly test: GroupTest
  readonly segments: () => readonly ImportedSegment[]
}

export function createGroups(
  groups: Readonly<Record<string, GrowthBookGroup>>,
  environmentKey: string,
  pool: SegmentPool,
): ImportedGroups {
  const keys = createKeyList(Object.keys(groups))
  const created = new Map<string, ImportedSegment>()
  const groupsInProgress = new Set<string>()

  function test(translation: Translation, id: unknown, attribute: string | undefined): Condition {
    const group =
      typeof id === 'string' && Object.hasOwn(groups, id) ? asObject(groups[id] as GrowthBookGroup) : undefined
    if (!group || typeof id !== 'string') return never
    const attributeName = group.type === 'list' ? (attribute ?? attributeAt(group.attributeKey ?? '')) : undefined
    const name = attributeName === undefined || isOwn(group, attributeName) ? id : `${id} by ${attributeName}`
    const key = keys.keyOf(name)
    if (!created.has(key)) {
      if (groupsInProgress.has(id)) return never
      groupsInProgress.add(id)
      const rules = rulesOf(translation, group, attributeName)
      groupsInProgress.delete(id)
      if (!rules) return omitGroup(translation, id)
      const description = `Saved group ${id}.`
      created.set(key, { ...emptySegment(environmentKey, key, nameOf(name)), description, rules })
    }
    return { kind: 'segment', key }
  }

  function rulesOf(
    translation: Translation,
    group: Group,
    attributeName: string | undefined,
  ): readonly ImportedSegmentRule[] | undefined {
    if (group.type === 'list') return attributeName === undefined ? [] : listRules(attributeName, group.values ?? [])
    const condition = group.type === 'condition' ? objectOf(group.condition) : undefined
    if (!condition) return undefined
    const compiled = conditionOf({ negated: false, unsupported: translation.unsupported, inGroup: test }, condition)
    return compileCondition(compiled, pool).map((clauses) => ({ clauses }))
  }

  return { test, segments: () => [...created.values()] }
}

function asObject(group: GrowthBookGroup): Group {
  return Array.isArray(group) ? { type: 'list', values: group } : (group as Group)
}

/** Returns true if a group lists values of this attribute. A group that names no attribute lists keys. */
function isOwn({ attributeKey }: Group, attributeName: string): boolean {
  return attributeKey ? attributeAt(attributeKey) === attributeName : attributeName === 'key'
}

function listRules(
  attribute: string,
  values: readonly (string | number)[],
): readonly ImportedSegmentRule[] | undefined {
  if (values.length === 0) return []
  const long = values.some((value) => typeof value === 'string' && value.length > maxValueLength)
  return long || values.length > maxValues ? undefined : [{ clauses: [userClause(attribute, 'in', values)] }]
}

function omitGroup(translation: Translation, id: string): Condition {
  const why = `it is of an unknown type, or has more than ${maxValues} values, or values longer than ${maxValueLength} characters`
  return omitCondition(translation, {
    what: `saved group ${id}`,
    why,
    instead: 'make a big segment with `halyard import segment`, and a rule that refers to it',
  })
}

/** Returns the condition of a group as an object. The management API returns a condition as text. */
function objectOf(condition: Group['condition']): GrowthBookCondition | undefined {
  if (typeof condition !== 'string') return condition ?? undefined
  try {
    return JSON.parse(condition)
  } catch {
    return undefined
  }
}
