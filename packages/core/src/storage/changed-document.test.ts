import { expect, it } from 'vitest'
import { flags } from '../models/flags/flag.ts'
import { changedProperties, type WrittenDocument } from './changed-document.ts'

const written = (before: object, after: object): WrittenDocument => ({
  collection: flags as never,
  keys: { projectKey: 'web', flagKey: 'checkout' },
  before: { version: 1, ...before },
  after: { version: 2, ...after },
})

it('the changed properties are those that differ, without the version and undefined ones', () => {
  expect(changedProperties(written({ name: 'a', tags: ['x'] }, { name: 'b', tags: ['x'] }))).toEqual(['name'])
  expect(changedProperties(written({ name: 'a' }, { name: 'a', description: undefined, tags: [] }))).toEqual(['tags'])
})

it('the changed properties of a copy with another state are compared again', () => {
  const document = written({ name: 'a' }, { name: 'b' })
  expect(changedProperties(document)).toEqual(['name'])
  expect(changedProperties({ ...document, before: { ...document.after, version: 1 } })).toEqual([])
})
