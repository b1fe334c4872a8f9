import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Resource } from '../../rules/address.ts'
import { compilePolicy, decide } from '../../rules/policy/policy.ts'
import type { Statement } from '../../rules/policy/statement.ts'
import { actionsOf, baseRoles, compileRole } from '../policy.ts'
import { coversStatements } from './role-coverage.ts'

const name = fc.constantFrom('*', 'a', 'b', 'a*', '*b', '${roleAttribute/x}')
const qualifier = fc.constantFrom('', '', '', ';t', ';t,u')

const specifier = fc.oneof(
  fc.tuple(name, qualifier).map(([key, otherStatements]) => `proj/${key}${otherStatements}`),
  fc
    .tuple(name, name, qualifier, name)
    .map(([p, e, otherStatements, f]) => `proj/${p}:env/${e}${otherStatements}:flag/${f}`),
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
  key.map((first) => [{ kind: 'team', key: first }]),
)

/** A request for a decision: a resource and an action of its kind. */
const request = resource.chain((resourcePath) =>
  fc.record({ where: fc.constant(resourcePath), what: fc.constantFrom(...actionsOf(resourcePath.at(-1)?.kind ?? '')) }),
)

const compile = (statements: readonly Statement[], attributeValues: readonly string[] = ['a', 'c']) =>
  compilePolicy([compileRole({ name: 'r', statements }, { roleAttributes: { x: attributeValues } })])

describe('coversStatements', () => {
  it('never accepts a role that allows more than the caller may do, for any role attributes of the member', () => {
    let coveredCount = 0
    fc.assert(
      fc.property(
        policy,
        policy,
        fc.subarray(['a', 'b', 'ab', 'c']),
        fc.array(request, { minLength: 20, maxLength: 20 }),
        (callerStatements, roleStatements, attributeValues, requests) => {
          const callerPolicy = compile(callerStatements)
          if (!coversStatements([callerPolicy], roleStatements)) return
          coveredCount++
          const memberPolicy = compile(roleStatements, attributeValues)
          for (const { what: action, where: resourcePath } of requests) {
            if (decide(memberPolicy, action, resourcePath).allowed)
              expect(decide(callerPolicy, action, resourcePath).allowed).toBe(true)
          }
        },
      ),
      { numRuns: 3_000 },
    )
    expect(coveredCount).toBeGreaterThan(300)
  })

  it('accepts every role for an owner, and only deny statements for a caller without rights', () => {
    fc.assert(
      fc.property(policy, (roleStatements) => {
        expect(coversStatements([compile(baseRoles.owner)], roleStatements)).toBe(true)
        expect(
          coversStatements(
            [compile([])],
            roleStatements.filter(({ effect }) => effect === 'deny'),
          ),
        ).toBe(true)
        expect(coversStatements([compile(baseRoles.owner), compile([])], baseRoles.reader)).toBe(false)
      }),
    )
  })

  it('still accepts a role when the caller gets more rights', () => {
    fc.assert(
      fc.property(policy, policy, policy, (callerStatements, otherStatements, roleStatements) => {
        const first = compileRole({ name: 'one', statements: callerStatements })
        const second = compileRole({ name: 'other', statements: otherStatements })
        if (coversStatements([compilePolicy([first])], roleStatements)) {
          // When the second role uses tags, a plain key of the role counts as all resources of its kind, so the result
          // may be false.
          const hasNoTags = second.statements.every(({ specifiers }) =>
            specifiers.every(({ source }) => !source.includes(';')),
          )
          if (hasNoTags) expect(coversStatements([compilePolicy([first, second])], roleStatements)).toBe(true)
        }
      }),
      { numRuns: 1_000 },
    )
  })
})
