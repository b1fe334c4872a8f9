import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileRole, validateStatements } from '../../resources/policy.ts'
import type { Statement } from './statement.ts'

const tooLong = 'must have at most 1000 characters'
const notAnAction = 'must be letters, digits and `*`, for example `updateOn` or `update*`'
const valid = { effect: 'allow', resources: ['proj/*'], actions: ['*'] }

function errorsOfResource(specifier: unknown) {
  return validateStatements([{ ...valid, resources: [specifier] }])
}

describe('validateStatements', () => {
  it.each<[string, unknown]>([
    ['no statements', []],
    ['a plain statement', [valid]],
    ['a deny with notResources and notActions', [{ effect: 'deny', notResources: ['acct'], notActions: ['view*'] }]],
    ['empty lists next to full ones', [{ ...valid, notResources: [], notActions: [] }]],
    ['properties that only responses have', [{ ...valid, role_name: 'ops' }]],
    ['500 statements', Array.from({ length: 500 }, () => valid)],
    ['a specifier of 1,000 characters', [{ ...valid, resources: [`proj/${'a'.repeat(995)}`] }]],
  ])('accepts %s', (_, statements) => {
    expect(validateStatements(statements)).toEqual([])
  })

  it.each([
    'acct',
    'proj/web',
    'proj/*:env/*;critical-tag,qa_*;{critical:true};view:checkout:flag/a*b*c',
    'proj/*:env/*;{critical:true,region:eu}:flag/*;view:${roleAttribute/viewKeys}',
    'proj/${roleAttribute/team}-*:env/*',
    'proj/a%3Ab%2F%2a',
    'member/*:token/*',
    'proj/*:aiconfig/*',
    'proj/*:env/*:aiconfig/*',
    'application/*',
  ])('accepts the specifier %s', (specifier) => {
    expect(errorsOfResource(specifier)).toEqual([])
  })

  it.each<[string, unknown, string, string]>([
    ['not a list', 'allow', '', 'must be an array of statements'],
    ['an object', { 0: valid, length: 1 }, '', 'must be an array of statements'],
    ['501 statements', Array.from({ length: 501 }, () => valid), '', 'must have at most 500 statements'],
    ['null for a statement', [valid, null], '[1]', 'must be an object'],
    ['a list for a statement', [[]], '[0]', 'must be an object'],
    ['a missing effect', [{ ...valid, effect: undefined }], '[0].effect', 'must be `allow` or `deny`'],
    ['an unknown effect', [{ ...valid, effect: 'ALLOW' }], '[0].effect', 'must be `allow` or `deny`'],
    [
      'missing resources',
      [{ ...valid, resources: undefined }],
      '[0].resources',
      'must be present, unless `notResources` is',
    ],
    ['empty resources', [{ ...valid, resources: [] }], '[0].resources', 'must be present, unless `notResources` is'],
    ['both', [{ ...valid, notResources: ['acct'] }], '[0].resources', 'must not be combined with `notResources`'],
    ['missing actions', [{ ...valid, actions: [] }], '[0].actions', 'must be present, unless `notActions` is'],
    [
      'actions together with notActions',
      [{ ...valid, notActions: ['viewProject'] }],
      '[0].actions',
      'must not be combined with `notActions`',
    ],
    ['a text for actions', [{ ...valid, actions: '*' }], '[0].actions', 'must be an array of strings'],
    [
      'null for notActions',
      [{ ...valid, notActions: null, actions: [] }],
      '[0].notActions',
      'must be an array of strings',
    ],
    ['a number in a list', [{ ...valid, actions: ['*', 3] }], '[0].actions[1]', 'must be a string'],
    ['501 entries', [{ ...valid, actions: Array(501).fill('*') }], '[0].actions', 'must have at most 500 entries'],
    ['a long action', [{ ...valid, actions: ['a'.repeat(1001)] }], '[0].actions[0]', tooLong],
    ['an empty action', [{ ...valid, actions: [''] }], '[0].actions[0]', notAnAction],
    ['a placeholder in an action', [{ ...valid, actions: ['${roleAttribute/a}'] }], '[0].actions[0]', notAnAction],
  ])('rejects %s', (_, statements, attribute, reason) => {
    expect(validateStatements(statements)).toEqual([{ attribute, reason }])
  })

  it.each<[string, string]>([
    ['', 'has an unknown resource kind ``'],
    ['*', 'has an unknown resource kind `*`'],
    ['flg/*', 'has an unknown resource kind `flg`'],
    ['Proj/*', 'has an unknown resource kind `Proj`'],
    ['constructor/*', 'has an unknown resource kind `constructor`'],
    ['proj/*:', 'has an unknown resource kind ``'],
    ['proj/*:/flag/*', 'has an unknown resource kind ``'],
    [' proj/*', 'has an unknown resource kind ` proj`'],
    ['proj', 'has no name after `proj`'],
    ['acct/*', 'has a name after `acct`'],
    ['proj/', 'has an empty name or qualifier'],
    ['flag/x:env/y', 'must have the levels of a resource in their order: write `env` as `proj/*:env/*`'],
    ['proj/*:flag/x', 'must have the levels of a resource in their order: write `flag` as `proj/*:env/*:flag/*`'],
    [
      'team/*:aiconfig/*',
      'must have the levels of a resource in their order: ' +
        'write `aiconfig` as `proj/*:aiconfig/*` or `proj/*:env/*:aiconfig/*`',
    ],
    ['proj/a b', 'must not contain ` ` in `a b`'],
    ['proj/a/b', 'must not contain `/` in `a/b`'],
    ['proj/a,b', 'must not contain `,` in `a,b`'],
    ['proj/%zz', 'has a bad escape at `%zz`: write two hex digits, for example %3A'],
    ['proj/%e9', 'has a bad escape at `%e9`: write two hex digits, for example %3A'],
    ['proj/a%', 'has a bad escape at `%`: write two hex digits, for example %3A'],
    ['proj/${roleAttribute/a', 'has unbalanced braces'],
    ['proj/a}', 'has unbalanced braces'],
    ['proj/*;{critical:true', 'has unbalanced braces'],
    ['proj/}{', 'has unbalanced braces'],
    ['proj/${role/a}', 'has a bad placeholder at `${role/a}`: write ${roleAttribute/name}'],
    ['proj/${roleAttribute/}', 'has a bad placeholder at `${roleAttribute/}`: write ${roleAttribute/name}'],
    ['proj/$a', 'has a bad placeholder at `$a`: write ${roleAttribute/name}'],
    ['proj/{a:b}', 'has a bad placeholder at `{a:b}`: write ${roleAttribute/name}'],
    ['proj/*;', 'has an empty qualifier after `;`'],
    ['proj/*;a,,b', 'has an empty name or qualifier'],
    ['proj/*;view:', 'has an empty name or qualifier'],
    ['proj/*;view:a,b', 'must not contain `,` in `a,b`'],
    ['proj/*:env/*;view:flag/*', 'must not contain `/` in `flag/*`'],
    ['proj/*;{critical}', 'has a bad property test `{critical}`: write {name:value}'],
    ['proj/*;{critical:}', 'has a bad property test `{critical:}`: write {name:value}'],
    ['proj/*;{}', 'has a bad property test `{}`: write {name:value}'],
    ['proj/*;{a:b}c', 'has a bad property test `{a:b}c`: write {name:value}'],
    [`proj/${'a'.repeat(996)}`, tooLong],
  ])('rejects the specifier "%s"', (specifier, reason) => {
    expect(errorsOfResource(specifier)).toEqual([{ attribute: '[0].resources[0]', reason }])
  })

  it('returns all errors together, grouped by statement', () => {
    const statements = [
      valid,
      { effect: 'maybe', notResources: ['proj/*', 'x/*'], actions: ['a b'], notActions: ['updateOn'] },
    ]
    expect(validateStatements(statements).map((error) => error.attribute)).toEqual([
      '[1].effect',
      '[1].actions',
      '[1].notResources[1]',
      '[1].actions[0]',
    ])
  })

  it('accepts exactly the statements that can be compiled', () => {
    const pieces = ['proj/', 'env/', 'flag/', 'team/', 'acct', 'view:', ...':;*a,{}$A', '%2']
    const specifierText = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(
        fc.oneof(
          specifierText,
          fc.string(),
          specifierText.map((rest) => `proj/${rest}`),
        ),
        (specifier) => {
          const statements = [{ ...valid, resources: [specifier] }] as Statement[]
          const compiles = () => compileRole({ name: 'role', statements })
          if (validateStatements(statements).length === 0) expect(compiles).not.toThrow()
          else expect(compiles).toThrow(TypeError)
        },
      ),
      { numRuns: 5000 },
    )
  })
})
