import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Resource } from '../../rules/address.ts'
import { compilePolicy, decide } from '../../rules/policy/policy.ts'
import type { Statement } from '../../rules/policy/statement.ts'
import { actionsOf, baseRoles, compileRole } from '../policy.ts'
import { reaches } from './role-reach.ts'

const name = fc.constantFrom('*', 'a', 'b', 'a*', '*b', '${roleAttribute/x}')
const qualifier = fc.constantFrom('', '', '', ';t', ';t,u')

const specifier = fc.oneof(
  fc.tuple(name, qualifier).map(([key, more]) => `proj/${key}${more}`),
  fc.tuple(name, name, qualifier, name).map(([p, e, more, f]) => `proj/${p}:env/${e}${more}:flag/${f}`),
  name.map((key) => `team/${key}`),
  fc.constant('acct'),
)

const actions = fc.subarray(['*', 'view*', 'updateOn', 'updateName', 'updateTags', 'viewProject', 'updateTeamName'], {
  minLength: 1,
})

const statement: fc.Arbitrary<Statement> = fc
  .record({
    effect: fc.constantFrom('allow', 'allow', 'deny'),
    list: fc.array(specifier, { minLength: 1, maxLength: 3 }),
    actions,
    flip: fc.nat(9),
  })
  .map(({ effect, list, flip, ...rest }) => ({
    effect: effect as Statement['effect'],
    ...(flip === 0 ? { notResources: list } : { resources: list }),
    ...(flip === 1 ? { notActions: rest.actions } : { actions: rest.actions }),
  }))

const policy = fc.array(statement, { maxLength: 4 })

const tags = fc.subarray(['t', 'u'])
const key = fc.constantFrom('a', 'b', 'ab', 'c')

const resource: fc.Arbitrary<Resource> = fc.oneof(
  fc.record({ kind: fc.constant('proj'), key, tags }).map((level) => [level]),
  fc.tuple(key, tags, key, tags, key).map(([p, pt, e, et, f]) => [
    { kind: 'proj', key: p, tags: pt },
    { kind: 'env', key: e, tags: et },
    { kind: 'flag', key: f, tags: [] },
  ]),
  key.map((one) => [{ kind: 'team', key: one }]),
)

/** A request for a decision: a resource and an action of its kind. */
const question = resource.chain((where) =>
  fc.record({ where: fc.constant(where), what: fc.constantFrom(...actionsOf(where.at(-1)?.kind ?? '')) }),
)

const compiled = (statements: readonly Statement[], x: readonly string[] = ['a', 'c']) =>
  compilePolicy([compileRole({ name: 'r', statements }, { roleAttributes: { x } })])

describe('coversStatements', () => {
  it('never accepts a role that allows more than the caller may do, for any role attributes of the member', () => {
    let gifts = 0
    fc.assert(
      fc.property(
        policy,
        policy,
        fc.subarray(['a', 'b', 'ab', 'c']),
        fc.array(question, { minLength: 20, maxLength: 20 }),
        (has, given, x, asked) => {
          const giver = compiled(has)
          if (!reaches([giver], given)) return
          gifts++
          const holder = compiled(given, x)
          for (const { what, where } of asked) {
            if (decide(holder, what, where).allowed) expect(decide(giver, what, where).allowed).toBe(true)
          }
        },
      ),
      { numRuns: 3_000 },
    )
    expect(gifts).toBeGreaterThan(300)
  })

  it('accepts every role for an owner, and only deny statements for a caller without rights', () => {
    fc.assert(
      fc.property(policy, (given) => {
        expect(reaches([compiled(baseRoles.owner)], given)).toBe(true)
        expect(
          reaches(
            [compiled([])],
            given.filter(({ effect }) => effect === 'deny'),
          ),
        ).toBe(true)
        expect(reaches([compiled(baseRoles.owner), compiled([])], baseRoles.reader)).toBe(false)
      }),
    )
  })

  it('still accepts a role when the caller gets more rights', () => {
    fc.assert(
      fc.property(policy, policy, policy, (has, more, given) => {
        const one = compileRole({ name: 'one', statements: has })
        const other = compileRole({ name: 'other', statements: more })
        if (reaches([compilePolicy([one])], given)) {
          // When the second role uses tags, a plain key of the role counts as all resources of its kind, so the result
          // may be false.
          const plain = other.statements.every(({ specifiers }) =>
            specifiers.every(({ source }) => !source.includes(';')),
          )
          if (plain) expect(reaches([compilePolicy([one, other])], given)).toBe(true)
        }
      }),
      { numRuns: 1_000 },
    )
  })
})
