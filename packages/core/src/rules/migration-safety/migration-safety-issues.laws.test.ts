import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Clause } from '../targeting/clause.ts'
import type { Serve } from '../targeting/serve.ts'
import { fallthroughId, type MigrationRule, type MigrationTargeting } from './cohorts.ts'
import { type MigrationSafetyIssue, migrationSafetyIssues } from './migration-safety-issues.ts'
import { type MigrationStage, migrationStages, type StageCount } from './stages.ts'

/**
 * A context of the model: the attributes that clauses test, its bucket in rollouts, and the prerequisites that it
 * meets.
 */
interface Context {
  readonly key: string
  /** Undefined if the attribute is absent. */
  readonly region: readonly string[] | undefined
  /** Tenth of every rollout that the context is in, 0 to 9. */
  readonly tenth: number
  readonly metPrerequisites: readonly string[]
}

const keys = ['a', 'b', 'c', 'd']
const regions = ['eu', 'us', 'ap']

const contexts: readonly Context[] = [...keys, 'other'].flatMap((key) =>
  [undefined, [], ['eu'], ['us'], ['ap'], ['eu', 'us'], ['us', 'ap']].flatMap((region) =>
    Array.from({ length: 10 }, (_, tenth) => tenth).flatMap((tenth) =>
      [[], ['p'], ['q'], ['p', 'q']].map((metPrerequisites): Context => ({ key, region, tenth, metPrerequisites })),
    ),
  ),
)

interface Assignment {
  readonly cohort: string
  readonly stage: MigrationStage
}

function matches({ key, region }: Context, { attribute, values, negate }: Clause): boolean {
  const present = attribute === 'key' ? [key] : region
  if (!present) return false
  return present.some((value) => values.includes(value)) !== negate
}

function stageFor(count: StageCount, context: Context, { rollout }: Serve): MigrationStage {
  let upTo = 0
  for (const { variation, weight } of rollout?.variations ?? []) {
    upTo += weight
    if (context.tenth * 10_000 < upTo) return migrationStages[count][variation] as MigrationStage
  }
  throw new Error('the weights are too small')
}

function evaluate(count: StageCount, targeting: MigrationTargeting, context: Context): Assignment {
  const rule = targeting.rules.find(({ clauses }) => clauses.every((clause) => matches(context, clause)))
  const cohort = rule?._id ?? fallthroughId
  const isServed =
    targeting.on && (targeting.prerequisites ?? []).every(({ key }) => context.metPrerequisites.includes(key))
  return { cohort, stage: isServed ? stageFor(count, context, rule ?? targeting.fallthrough) : 'off' }
}

interface Harm {
  readonly from: string
  readonly to: string
  readonly old: boolean
}

/**
 * Returns the actual harm to the data of all contexts, as decision D23
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d23-migration-safety) defines it.
 */
function harms(count: StageCount, before: MigrationTargeting, after: MigrationTargeting): Harm[] {
  return contexts.flatMap((context) => {
    const previous = evaluate(count, before, context)
    const current = evaluate(count, after, context)
    const cohorts = { from: previous.cohort, to: current.cohort }
    const unready: readonly string[] = previous.cohort === current.cohort ? ['off'] : ['off', 'dualwrite']
    const readsNew = ['shadow', 'live', 'rampdown', 'complete'].includes(current.stage)
    const readsOld = ['off', 'dualwrite', 'shadow', 'live'].includes(current.stage)
    return [
      ...(count === 6 && readsNew && unready.includes(previous.stage) ? [{ ...cohorts, old: false }] : []),
      ...(readsOld && previous.stage === 'complete' ? [{ ...cohorts, old: true }] : []),
    ]
  })
}

/** Returns true if an issue reports a harm: for the same system, and between the causing cohort and an affected one. */
function reports({ causingRuleId, affectedRuleIds, oldSystemAffected }: MigrationSafetyIssue, harm: Harm): boolean {
  if (oldSystemAffected !== harm.old) return false
  if (harm.from === harm.to) return causingRuleId === harm.from && affectedRuleIds.includes(harm.from)
  return (
    (causingRuleId === harm.from && affectedRuleIds.includes(harm.to)) ||
    (causingRuleId === harm.to && affectedRuleIds.includes(harm.from))
  )
}

const clause = (attribute: string, from: readonly string[]): fc.Arbitrary<Clause> =>
  fc.record({
    _id: fc.constant('c'),
    contextKind: fc.constant('org'),
    attribute: fc.constant(attribute),
    op: fc.constant('in' as const),
    values: fc.subarray([...from]),
    negate: fc.boolean(),
  })

const anyClauses = fc.array(fc.oneof(clause('key', keys), clause('region', regions)), { maxLength: 2 })

/** Random lists of keys, which may overlap with those of other rules. */
const keyClauses = fc
  .subarray(keys)
  .map((values): Clause[] => [{ _id: 'c', contextKind: 'org', attribute: 'key', op: 'in', values, negate: false }])

/** Random rollouts of one stage or two, with weights in tenths. */
const serve = (count: StageCount): fc.Arbitrary<Serve> =>
  fc.tuple(fc.nat(count - 1), fc.nat(count - 1), fc.nat(10)).map(([value, otherStage, tenths]) => ({
    rollout: {
      contextKind: 'org',
      variations: [
        { variation: value, weight: tenths * 10_000 },
        { variation: otherStage, weight: (10 - tenths) * 10_000 },
      ],
    },
  }))

const ids = ['r1', 'r2', 'r3', 'r4', 'r5']

interface Change {
  readonly count: StageCount
  readonly before: MigrationTargeting
  readonly after: MigrationTargeting
}

/** Random pairs of a targeting and a change of it: rules stay, change, are added, removed and reordered. */
function changes(clauses: fc.Arbitrary<Clause[]>, changesOn: boolean): fc.Arbitrary<Change> {
  const on = changesOn ? fc.boolean() : fc.constant(true)
  const prerequisiteKeys = changesOn ? fc.subarray(['p', 'q']) : fc.constant([])
  return fc.constantFrom<StageCount>(2, 4, 6, 6, 6).chain((count) => {
    const rule = (_id: string): fc.Arbitrary<MigrationRule> =>
      fc.tuple(clauses, serve(count)).map(([list, isServed]) => ({ _id, clauses: list, ...isServed }))
    const rules = fc.tuple(...ids.map(rule))
    const order = fc.shuffledSubarray(ids)
    const side = fc.record({ order, on, waits: prerequisiteKeys, fallthrough: serve(count), keeps: fc.boolean() })
    const unchangedParts = fc.array(fc.constantFrom('all', 'clauses', 'nothing'), { minLength: 5, maxLength: 5 })
    return fc
      .record({ rules, others: rules, kept: unchangedParts, was: side, is: side })
      .map(({ rules, others, kept: unchangedParts, was, is }) => {
        const newRules = rules.map((value, index) => {
          const otherStage = others[index] as MigrationRule
          if (unchangedParts[index] === 'all') return value
          return unchangedParts[index] === 'clauses' ? { ...otherStage, clauses: value.clauses } : otherStage
        })
        const pick = (from: readonly MigrationRule[], order: readonly string[]) =>
          order.map((id) => from[ids.indexOf(id)] as MigrationRule)
        const prerequisites = (list: readonly string[]) => list.map((key) => ({ key, variation: 0 }))
        return {
          count,
          before: {
            on: was.on,
            rules: pick(rules, was.order),
            fallthrough: was.fallthrough,
            prerequisites: prerequisites(was.waits),
          },
          after: {
            on: is.on,
            rules: pick(newRules, is.keeps ? was.order : is.order),
            fallthrough: is.keeps ? was.fallthrough : is.fallthrough,
            prerequisites: prerequisites(is.waits),
          },
        }
      })
  })
}

describe('migrationSafetyIssues', () => {
  it('reports every actual harm', () => {
    fc.assert(
      fc.property(changes(anyClauses, true), ({ count, before, after }) => {
        const issues = migrationSafetyIssues(count, before, after)
        const unreported = harms(count, before, after).filter((harm) => !issues.some((issue) => reports(issue, harm)))
        expect(unreported).toEqual([])
      }),
      { numRuns: 500 },
    )
  }, 20_000)

  it('reports nothing else if rules are lists of keys', () => {
    fc.assert(
      fc.property(changes(keyClauses, false), ({ count, before, after }) => {
        const actualHarms = harms(count, before, after)
        for (const issue of migrationSafetyIssues(count, before, after)) {
          const unfounded = issue.affectedRuleIds.filter(
            (affected) => !actualHarms.some((harm) => reports({ ...issue, affectedRuleIds: [affected] }, harm)),
          )
          expect(unfounded).toEqual([])
        }
      }),
      { numRuns: 500 },
    )
  }, 20_000)

  it('returns no issues if nothing changes but the ids of rules', () => {
    fc.assert(
      fc.property(changes(anyClauses, true), ({ count, before }) => {
        expect(migrationSafetyIssues(count, before, structuredClone(before))).toEqual([])
        const renamed = before.rules.map((rule) => ({ ...rule, _id: `${rule._id}-again` }))
        expect(migrationSafetyIssues(count, before, { ...before, rules: renamed })).toEqual([])
      }),
    )
  })

  it('returns each cause once per system and direction, with rules that exist', () => {
    fc.assert(
      fc.property(changes(anyClauses, true), ({ count, before, after }) => {
        const ruleIds = new Set([...before.rules, ...after.rules].map(({ _id }) => _id).concat(fallthroughId))
        const issues = migrationSafetyIssues(count, before, after)
        for (const { causingRuleId, affectedRuleIds } of issues) {
          expect([causingRuleId, ...affectedRuleIds].filter((id) => !ruleIds.has(id))).toEqual([])
          expect(affectedRuleIds.length).toBeGreaterThan(0)
        }
        expect(new Set(issues.map(({ issue }) => issue)).size).toBe(issues.length)
      }),
    )
  })
})
