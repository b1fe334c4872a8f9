import { describe, expect, it } from 'vitest'
import { operations } from '../generated/listed-operations.ts'
import * as operationsByName from '../generated/selectable-operations.ts'
import { policyKinds } from '../vocabulary/policy-kinds.ts'
import { resources } from './all-resources.ts'
import { referenceOnlyKinds } from './reference-only-kinds.ts'

describe('the generated lists of resources', () => {
  it('export every operation under its id', () => {
    for (const [name, { id }] of Object.entries(operationsByName)) expect(name).toBe(id)
    expect(Object.keys(operationsByName)).toHaveLength(operations.length)
  })
})

describe('the actions in descriptors', () => {
  const actions = new Set(policyKinds.flatMap((kind): readonly string[] => kind.actions))

  it('include every action that a collection requires for a change', () => {
    const required = resources
      .flatMap(({ collections = [] }) => collections)
      .flatMap(({ name, changeActions }) => changeActions.map((action) => `${name}: ${action}`))
    expect(required.filter((entry) => !actions.has(entry.split(': ')[1] ?? ''))).toEqual([])
  })

  it('are not repeated in the list of actions that only the reference API has', () => {
    const declared = new Set(
      resources.flatMap(({ kinds = [] }) =>
        kinds.flatMap(({ shape, actions }) => actions.map((action) => `${shape} ${action}`)),
      ),
    )
    const repeated = referenceOnlyKinds
      .flatMap(({ shape, actions }) => actions.map((action) => `${shape} ${action}`))
      .filter((entry) => declared.has(entry))
    expect(repeated).toEqual([])
  })
})

describe('the descriptors', () => {
  it('have different titles, because a title names one group of the reference pages', () => {
    const titles = resources.map(({ title }) => title)
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([])
  })
})
