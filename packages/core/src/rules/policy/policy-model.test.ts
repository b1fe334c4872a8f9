import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileRole, statementFaults } from '../../resources/policy.ts'
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
import { type Level, type Role, type Rule, speaks, type Values, verdict, writeRule } from './test/policy-model.ts'

function compile(all: readonly Role[], roleAttributes: Values) {
  return compilePolicy(
    all.map((rules, i) => compileRole({ name: `role ${i}`, statements: rules.map(writeRule) }, { roleAttributes })),
  )
}

function allows(all: readonly Role[], attributes: Values, asked: { action: string; resource: Resource }): boolean {
  return decide(compile(all, attributes), asked.action, asked.resource).allowed
}

describe('the engine and the model', () => {
  it('agree on 100,000 decisions and on the deciding statements', () => {
    const seen = { allowed: 0, denied: 0, byDefault: 0 }
    fc.assert(
      fc.property(roles, values, fc.array(request, { minLength: 50, maxLength: 50 }), (all, attributes, requests) => {
        const policy = compile(all, attributes)
        for (const { action, resource: about } of requests) {
          const { allowed, role: by, index } = decide(policy, action, about)
          expect({ allowed, role: by, index }).toEqual(verdict(all, action, about, attributes))
          seen[allowed ? 'allowed' : by ? 'denied' : 'byDefault']++
        }
      }),
      { numRuns: 2000 },
    )
    expect(seen.allowed + seen.denied + seen.byDefault).toBe(100_000)
    // A generator whose rules never match would agree as well.
    expect(Math.min(seen.allowed, seen.denied)).toBeGreaterThan(5000)
  }, 60_000)

  it('agree that every generated statement is valid', () => {
    fc.assert(
      fc.property(role, (rules) => {
        expect(statementFaults(rules.map(writeRule))).toEqual([])
      }),
    )
  })
})

describe('decide', { timeout: 30_000 }, () => {
  const many = { numRuns: 2000 }

  it('denies what any statement of the only role denies', () => {
    fc.assert(
      fc.property(role, rule, values, request, (rules, one, attributes, asked) => {
        const deny: Rule = { ...one, effect: 'deny' }
        fc.pre(speaks(deny, asked.action, asked.resource, attributes))
        expect(allows([[...rules, deny]], attributes, asked)).toBe(false)
      }),
      many,
    )
  })

  it('returns the same decision for any order of statements and roles', () => {
    fc.assert(
      fc.property(roles, values, request, (all, attributes, asked) => {
        const reversed = all.map((rules) => rules.toReversed()).toReversed()
        expect(allows(reversed, attributes, asked)).toBe(allows(all, attributes, asked))
      }),
      many,
    )
  })

  it('still allows everything after a role is added', () => {
    fc.assert(
      fc.property(roles, role, values, request, (all, added, attributes, asked) => {
        if (allows(all, attributes, asked)) expect(allows([added, ...all], attributes, asked)).toBe(true)
      }),
      many,
    )
  })

  it('still allows everything after an allow is added, and allows nothing more after a deny is added', () => {
    fc.assert(
      fc.property(role, rule, values, request, (rules, added, attributes, asked) => {
        const before = allows([rules], attributes, asked)
        const after = allows([[...rules, added]], attributes, asked)
        expect(added.effect === 'allow' ? after || !before : before || !after).toBe(true)
      }),
      many,
    )
  })

  it('decides the opposite for resources and notResources of one list, without wildcard keys', () => {
    fc.assert(
      fc.property(rule, values, request, (one, attributes, asked) => {
        fc.pre(asked.resource.every((at) => at.key !== '*'))
        const everyAction = { ...one, effect: 'allow', notActions: false, actions: [['star']] } satisfies Rule
        const [direct, opposite] = [false, true].map((not) => allows([[{ ...everyAction, not }]], attributes, asked))
        expect(direct).toBe(!opposite)
      }),
      many,
    )
  })

  it('matches a wildcard specifier only with resources of the same shape', () => {
    fc.assert(
      fc.property(resource, fc.constantFrom(...shapes), (about, kinds) => {
        const all: Level[] = kinds.map((kind) => ({ kind, name: ['star'], tags: [], properties: [], views: [] }))
        const wide: Rule = { effect: 'allow', not: false, specifiers: [all], notActions: false, actions: [['star']] }
        const same = kinds.join() === about.map((at) => at.kind).join()
        expect(allows([[wide]], {}, { action: 'updateOn', resource: about })).toBe(same)
      }),
      many,
    )
  })

  it('allows for each resource, with any attributes, what it allows for all resources', () => {
    const everywhere = fc.constantFrom(...shapes.slice(1)).chain((kinds) =>
      fc.record({
        whole: fc.constant(kinds.map((kind) => ({ kind, key: '*' }))),
        place: fc.tuple(...kinds.map((kind) => resourceLevel(kind, text))),
      }),
    )
    fc.assert(
      fc.property(roles, values, everywhere, anyAction, (all, attributes, { whole, place }, action) => {
        if (allows(all, attributes, { action, resource: whole })) {
          expect(allows(all, attributes, { action, resource: place })).toBe(true)
        }
      }),
      many,
    )
  })
})
