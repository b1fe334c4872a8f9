import { describe, expect, it } from 'vitest'
import * as cards from './cards.ts'
import { operations } from './index.ts'
import * as lists from './operation-lists.ts'

const idsOf = (several: readonly { readonly id: string }[]) => several.map(({ id }) => id).sort()

describe('whoever makes an engine of chosen operations', () => {
  it('finds every card by itself, under its id', () => {
    expect(idsOf(Object.values(cards))).toEqual(idsOf(operations))
    for (const [name, { id }] of Object.entries(cards)) expect(name).toBe(id)
  })

  it('finds every card in one list of a resource', () => {
    expect(idsOf(Object.values(lists).flat())).toEqual(idsOf(operations))
  })
})
