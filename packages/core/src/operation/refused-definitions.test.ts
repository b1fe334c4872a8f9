import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { teams } from '../models/teams/team.ts'
import { deleteOperation } from './document-operations/delete-operation.ts'
import { getOperation } from './document-operations/get-operation.ts'
import { listOperation } from './document-operations/list-operation.ts'
import { operation } from './operation.ts'

const response = v.object({ key: v.string() })
const serialize = (_: unknown, { key }: { readonly key: string }) => ({ key })
const access = { action: 'viewTeam', resource: 'team/{teamKey}' } as const
const get = { id: 'a', summary: '', path: '/teams/{teamKey}', access } as const
const list = { id: 'a', summary: '', path: '/teams', access } as const

// The type check fails where a line below an `@ts-expect-error` compiles.
describe('the compiler refuses', () => {
  it('an action that no resource has', () => {
    const success = { status: 204 } as const
    const declared = operation({
      id: 'a',
      summary: '',
      method: 'GET',
      path: '/teams',
      success,
      errors: [],
      // @ts-expect-error: it is called viewRole
      access: { action: 'viewRoel', resource: 'role/*' },
      async handle() {},
    })
    expect(declared.id).toBe('a')
    // @ts-expect-error: it is called viewRole
    expect(listOperation(teams, { ...list, response, serialize, visible: 'viewRoel' }).id).toBe('a')
  })

  it('an error code that does not exist, and a failure that the operation does not declare', () => {
    const head = { id: 'a', summary: '', method: 'GET', path: '/teams', success: { status: 204 }, access } as const
    // @ts-expect-error: it is called not_found
    expect(operation({ ...head, errors: ['not_fond'], async handle() {} }).id).toBe('a')
    const declared = operation({
      ...head,
      errors: ['not_found'],
      async handle({ fail }) {
        // @ts-expect-error: only not_found is declared
        fail('forbidden')
      },
    })
    expect(declared.errors).toEqual(['not_found'])
  })

  it('an unknown option of a document operation', () => {
    // @ts-expect-error: it is called revisionOf
    expect(getOperation(teams, { ...get, response, serialize, revisionOff: () => 1 }).id).toBe('a')
    // @ts-expect-error: it is called contents
    expect(deleteOperation(teams, { ...get, content: true }).id).toBe('a')
    // @ts-expect-error: it is called visible
    expect(listOperation(teams, { ...list, response, serialize, visble: 'viewTeam' }).id).toBe('a')
  })

  it('an unknown property of what select returns', () => {
    // @ts-expect-error: it is called order
    const now = listOperation(teams, { ...list, response, serialize, select: () => ({ where: [], ordr: [] }) })
    // @ts-expect-error: it is called order
    const later = listOperation(teams, { ...list, response, serialize, select: async () => ({ ordr: [] }) })
    expect([now.id, later.id]).toEqual(['a', 'a'])
  })
})
