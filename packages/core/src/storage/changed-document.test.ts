import { expect, it } from 'vitest'
import { flags } from '../models/flags/flag.ts'
import { WrittenDocument } from './changed-document.ts'

const written = (before: object, after: object): WrittenDocument =>
  new WrittenDocument({
    collection: flags as never,
    keys: { projectKey: 'web', flagKey: 'checkout' },
    before: { version: 1, ...before },
    after: { version: 2, ...after },
  })

it('the changed properties are those that differ, without the version and undefined ones', () => {
  expect(written({ name: 'a', tags: ['x'] }, { name: 'b', tags: ['x'] }).changedProperties()).toEqual(['name'])
  expect(written({ name: 'a' }, { name: 'a', description: undefined, tags: [] }).changedProperties()).toEqual(['tags'])
})

it('the changed properties of a copy with another state are compared again', () => {
  const document = written({ name: 'a' }, { name: 'b' })
  expect(document.changedProperties()).toEqual(['name'])
  const copy = new WrittenDocument({ ...document, before: { version: 1, ...document.after } })
  expect(copy.changedProperties()).toEqual([])
})
