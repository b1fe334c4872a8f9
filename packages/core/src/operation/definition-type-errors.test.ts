import { createMemoryStorage } from '@halyard/storage-memory'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { createEngine } from '../index.ts'
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

// The type check fails when a line below an `@ts-expect-error` compiles.
describe('type errors of operation definitions', () => {
  it('an action that no resource has is a type error', () => {
    const success = { status: 204 } as const
    const declared = operation({
      id: 'a',
      summary: '',
      method: 'GET',
      path: '/teams',
      success,
      errors: [],
      // @ts-expect-error: the action is named viewRole
      access: { action: 'viewRoel', resource: 'role/*' },
      async handle() {},
    })
    expect(declared.id).toBe('a')
    // @ts-expect-error: the action is named viewRole
    expect(listOperation(teams, { ...list, response, serialize, visible: 'viewRoel' }).id).toBe('a')
  })

  it('an unknown error code and an undeclared failure are type errors', () => {
    const head = { id: 'a', summary: '', method: 'GET', path: '/teams', success: { status: 204 }, access } as const
    // @ts-expect-error: the code is named not_found
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

  it('an unknown option of a document operation is a type error', () => {
    // @ts-expect-error: the option is named revisionOf
    expect(getOperation(teams, { ...get, response, serialize, revisionOff: () => 1 }).id).toBe('a')
    // @ts-expect-error: the option is named contents
    expect(deleteOperation(teams, { ...get, content: true }).id).toBe('a')
    // @ts-expect-error: the option is named visible
    expect(listOperation(teams, { ...list, response, serialize, visble: 'viewTeam' }).id).toBe('a')
  })

  it('an unknown property in the result of select is a type error', () => {
    // @ts-expect-error: the property is named order
    const synchronous = listOperation(teams, { ...list, response, serialize, select: () => ({ where: [], ordr: [] }) })
    // @ts-expect-error: the property is named order
    const asynchronous = listOperation(teams, { ...list, response, serialize, select: async () => ({ ordr: [] }) })
    expect([synchronous.id, asynchronous.id]).toEqual(['a', 'a'])
  })

  it('a call in process that names no caller is a type error', async () => {
    const engine = createEngine({ storage: createMemoryStorage() })
    // @ts-expect-error: a second argument with `as` is required
    await expect(engine.api.getTeam({ teamKey: 'core' })).rejects.toMatchObject({ code: 'unauthorized' })
    // @ts-expect-error: `as` is required
    await expect(engine.api.getTeam({ teamKey: 'core' }, {})).rejects.toMatchObject({ code: 'unauthorized' })
    // @ts-expect-error: the caller is bound already
    const bound = engine.as({ role: 'admin' }).getTeam({ teamKey: 'core' }, { as: 'another' })
    await expect(bound).rejects.toMatchObject({ code: 'not_found' })
    await engine.close()
  })
})
