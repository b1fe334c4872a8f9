import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compilePolicy, decide } from '../../rules/policy/policy.ts'
import type { Statement } from '../../rules/policy/statement.ts'
import { compileRole } from '../policy.ts'
import { writeAccess } from './writable-projects.ts'

const name = fc.constantFrom('*', 'a', 'b', 'a*')

const specifier = fc.oneof(
  fc.tuple(name, fc.constantFrom('', '', ';t')).map(([key, tag]) => `proj/${key}${tag}`),
  fc.tuple(name, name, name).map(([p, e, f]) => `proj/${p}:env/${e}:flag/${f}`),
)

const statement: fc.Arbitrary<Statement> = fc.record({
  effect: fc.constantFrom('allow', 'deny'),
  resources: fc.array(specifier, { minLength: 1, maxLength: 2 }),
  actions: fc.subarray(['*', 'view*', 'updateOn', 'updateProjectName'], { minLength: 1 }),
})

const policy = fc.array(statement, { maxLength: 4 })

const keys = ['a', 'b', 'ab', 'c']

it('writeAccess finds every project in which a role allows a write action on some resource', () => {
  let writable = 0
  fc.assert(
    fc.property(
      fc.array(policy, { minLength: 1, maxLength: 2 }),
      fc.constantFrom(...keys),
      fc.subarray(['t']),
      (policies, key, tags) => {
        const roles = policies.map((statements, i) => ({ key: `r${i}`, policy: statements }))
        const compiled = compilePolicy(roles.map((role) => compileRole({ name: role.key, statements: role.policy })))
        const project = { kind: 'proj', key, tags }
        const mayRename = decide(compiled, 'updateProjectName', [project]).allowed
        const maySwitch = keys.some((env) =>
          keys.some(
            (flag) =>
              decide(compiled, 'updateOn', [project, { kind: 'env', key: env }, { kind: 'flag', key: flag }]).allowed,
          ),
        )
        const mayWrite = writeAccess(roles, {})({ key, tags })
        if (mayRename || maySwitch) expect(mayWrite).toBe(true)
        if (mayWrite) writable++
        const onlyReads = roles.every((role) =>
          role.policy.every(
            ({ effect, actions }) => effect === 'deny' || actions?.every((statements) => statements === 'view*'),
          ),
        )
        if (onlyReads) expect(mayWrite).toBe(false)
      },
    ),
    { numRuns: 1_000 },
  )
  expect(writable).toBeGreaterThan(100)
})
