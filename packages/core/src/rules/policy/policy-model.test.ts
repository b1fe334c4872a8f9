import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileRole, validateStatements } from '../../resources/policy.ts'
import type { Resource } from '../address.ts'
import { compilePolicy, decide } from './policy.ts'
import {
  anyAction,
  request,
  resource,
  resourceLevel,
  role,
  roles,
  rule,
  shapes,
  text,
  values,
} from './test/generated-policies.ts'
import {
  applies,
  type Level,
  modelDecision,
  type Role,
  type Rule,
  type Values,
  writeRule,
} from './test/policy-model.ts'

function compile(roleList: readonly Role[], roleAttributes: Values) {
  return compilePolicy(
    roleList.map((rules, i) =>
      compileRole({ name: `role ${i}`, statements: rules.map(writeRule) }, { roleAttributes }),
    ),
  )
}

function allows(
  roleList: readonly Role[],
  attributes: Values,
  request: { action: string; resource: Resource },
): boolean {
  return decide(compile(roleList, attributes), request.action, request.resource).allowed
}

describe('the engine and the model', () => {
  it('agree on 100,000 decisions and on the deciding statements', () => {
    const counts = { allowed: 0, denied: 0, byDefault: 0 }
    fc.assert(
      fc.property(
        roles,
        values,
        fc.array(request, { minLength: 50, maxLength: 50 }),
        (roleList, attributes, requests) => {
          const policy = compile(roleList, attributes)
          const decisions = requests.map(({ action, resource }) => {
            const { allowed, role, index } = decide(policy, action, resource)
            counts[allowed ? 'allowed' : role ? 'denied' : 'byDefault']++
            return { allowed, role, index }
          })
          expect(decisions).toEqual(
            requests.map(({ action, resource }) => modelDecision(roleList, action, resource, attributes)),
          )
        },
      ),
      { numRuns: 2000 },
    )
    expect(counts.allowed + counts.denied + counts.byDefault).toBe(100_000)
    // Without this check, the test would also pass if the generated rules never matched.
    expect(Math.min(counts.allowed, counts.denied)).toBeGreaterThan(5000)
  }, 60_000)

  it('agree that every generated statement is valid', () => {
    fc.assert(
      fc.property(role, (rules) => {
        expect(validateStatements(rules.map(writeRule))).toEqual([])
      }),
    )
  })
})

describe('decide', { timeout: 30_000 }, () => {
  const manyRuns = { numRuns: process.env.HALYARD_LONG_TESTS ? 2000 : 500 }

  it('denies what any statement of the only role denies', () => {
    fc.assert(
      fc.property(role, rule, values, request, (rules, singleRule, attributes, request) => {
        const deny: Rule = { ...singleRule, effect: 'deny' }
        fc.pre(applies(deny, request.action, request.resource, attributes))
        expect(allows([[...rules, deny]], attributes, request)).toBe(false)
      }),
      manyRuns,
    )
  })

  it('returns the same decision for any order of statements and roles', () => {
    fc.assert(
      fc.property(roles, values, request, (roleList, attributes, request) => {
        const reversed = roleList.map((rules) => rules.toReversed()).toReversed()
        expect(allows(reversed, attributes, request)).toBe(allows(roleList, attributes, request))
      }),
      manyRuns,
    )
  })

  it('still allows everything after a role is added', () => {
    fc.assert(
      fc.property(roles, role, values, request, (roleList, added, attributes, request) => {
        if (allows(roleList, attributes, request)) expect(allows([added, ...roleList], attributes, request)).toBe(true)
      }),
      manyRuns,
    )
  })

  it('still allows everything after an allow is added, and allows nothing more after a deny is added', () => {
    fc.assert(
      fc.property(role, rule, values, request, (rules, added, attributes, request) => {
        const before = allows([rules], attributes, request)
        const after = allows([[...rules, added]], attributes, request)
        expect(added.effect === 'allow' ? after || !before : before || !after).toBe(true)
      }),
      manyRuns,
    )
  })

  it('decides the opposite for resources and notResources of one list, without wildcard keys', () => {
    fc.assert(
      fc.property(rule, values, request, (singleRule, attributes, request) => {
        fc.pre(request.resource.every((level) => level.key !== '*'))
        const allowRule = { ...singleRule, effect: 'allow', notActions: false, actions: [['star']] } satisfies Rule
        const [direct, opposite] = [false, true].map((not) => allows([[{ ...allowRule, not }]], attributes, request))
        expect(direct).toBe(!opposite)
      }),
      manyRuns,
    )
  })

  it('matches a wildcard specifier only with resources of the same shape', () => {
    fc.assert(
      fc.property(resource, fc.constantFrom(...shapes), (resource, kinds) => {
        const roleList: Level[] = kinds.map((kind) => ({ kind, name: ['star'], tags: [], properties: [], views: [] }))
        const wide: Rule = {
          effect: 'allow',
          not: false,
          specifiers: [roleList],
          notActions: false,
          actions: [['star']],
        }
        const same = kinds.join() === resource.map((level) => level.kind).join()
        expect(allows([[wide]], {}, { action: 'updateOn', resource })).toBe(same)
      }),
      manyRuns,
    )
  })

  it('allows for each resource, with any attributes, every action that it allows for all resources', () => {
    const everywhere = fc.constantFrom(...shapes.slice(1)).chain((kinds) =>
      fc.record({
        whole: fc.constant(kinds.map((kind) => ({ kind, key: '*' }))),
        place: fc.tuple(...kinds.map((kind) => resourceLevel(kind, text))),
      }),
    )
    fc.assert(
      fc.property(
        roles,
        values,
        everywhere,
        anyAction,
        (roleList, attributes, { whole: wildcard, place: concrete }, action) => {
          if (allows(roleList, attributes, { action, resource: wildcard })) {
            expect(allows(roleList, attributes, { action, resource: concrete })).toBe(true)
          }
        },
      ),
      manyRuns,
    )
  })
})
