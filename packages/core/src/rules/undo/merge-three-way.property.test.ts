import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeToken } from '../json-delta.ts'
import { jsonEqual } from '../json-equal.ts'
import { mergeThreeWay } from './merge-three-way.ts'
import { anyObject, anyTree } from './test/json-documents.ts'

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/**
 * Returns the paths of the parts that both changes replaced by different values, computed directly from this
 * definition.
 */
function replacedByBoth(base: unknown, yours: unknown, theirs: unknown, path = ''): readonly string[] {
  if (jsonEqual(yours, theirs) || jsonEqual(base, yours) || jsonEqual(base, theirs)) return []
  if (!isObject(base) || !isObject(yours) || !isObject(theirs)) return [path]
  const ownValue = (object: Record<string, unknown>, name: string) =>
    Object.hasOwn(object, name) ? object[name] : undefined
  const names = new Set([base, yours, theirs].flatMap((object) => Object.keys(object)))
  return [...names].flatMap((name) =>
    replacedByBoth(ownValue(base, name), ownValue(yours, name), ownValue(theirs, name), `${path}/${escapeToken(name)}`),
  )
}

function valueAt(value: unknown, path: string): unknown {
  const names = path.split('/').slice(1)
  return names.reduce<unknown>((part, name) => {
    const key = name.replaceAll('~1', '/').replaceAll('~0', '~')
    return isObject(part) && Object.hasOwn(part, key) ? part[key] : undefined
  }, value)
}

/** Undoes a change, given three documents: before the change, after it, and now. */
const undo = (before: unknown, after: unknown, now: unknown) =>
  mergeThreeWay({ base: after, yours: before, theirs: now })

describe('mergeThreeWay', () => {
  it('returns the document before a change when nothing was changed since', () => {
    const property = fc.property(anyObject, anyObject, (before, after) => {
      expect(undo(before, after, after)).toEqual({ value: before, conflicts: [] })
    })
    fc.assert(property, { numRuns: 1000 })
  })

  it('returns the present document when the change is undone already, or changed nothing', () => {
    const property = fc.property(anyObject, anyObject, (before, after) => {
      expect(undo(before, after, before)).toEqual({ value: before, conflicts: [] })
      expect(undo(before, before, after)).toEqual({ value: after, conflicts: [] })
    })
    fc.assert(property, { numRuns: 1000 })
  })

  it('has a conflict exactly for each part that was changed later, with its three values', () => {
    const property = fc.property(anyTree, anyTree, anyTree, (before, after, now) => {
      const { conflicts } = undo(before, after, now)
      expect(conflicts.map(({ path }) => path).toSorted()).toEqual([...replacedByBoth(after, before, now)].toSorted())
      for (const { path, base, yours, theirs } of conflicts) {
        expect([base, yours, theirs]).toEqual([valueAt(after, path), valueAt(before, path), valueAt(now, path)])
      }
    })
    fc.assert(property, { numRuns: 2000 })
  })

  it('keeps every later change, and undoes every part that was not changed later', () => {
    const property = fc.property(anyTree, anyTree, anyTree, (before, after, now) => {
      const { value, conflicts } = undo(before, after, now)
      for (const { path } of conflicts) expect(valueAt(value, path)).toEqual(valueAt(now, path))
      for (const name of Object.keys({ ...before, ...after, ...now })) {
        const [old, changed, newest] = [before, after, now].map((each) => valueAt(each, `/${escapeToken(name)}`))
        const result = valueAt(value, `/${escapeToken(name)}`)
        if (jsonEqual(changed, newest)) expect(result).toEqual(old)
        if (jsonEqual(old, changed)) expect(result).toEqual(newest)
      }
    })
    fc.assert(property, { numRuns: 2000 })
  })

  const ids = ['a', 'b', 'c', 'd', 'e']
  const list = fc
    .shuffledSubarray(ids)
    .chain((chosen) => fc.tuple(...chosen.map((_id) => fc.constantFrom(0, 1).map((name) => ({ _id, name })))))
  const byId = (elements: readonly { readonly _id: string; readonly name: number }[]) =>
    Object.fromEntries(elements.map((element) => [element._id, element]))

  it('merges the elements of a list as it merges properties, when at most one change reorders them', () => {
    const sorted = list.map((elements) => elements.toSorted((a, b) => (a._id < b._id ? -1 : 1)))
    const property = fc.property(sorted, sorted, list, (before, after, now) => {
      const { value, conflicts } = undo({ list: before }, { list: after }, { list: now })
      const merged = (value as { list: typeof now }).list
      const expected = undo(byId(before), byId(after), byId(now))
      expect(byId(merged)).toEqual(expected.value)
      expect(conflicts).toHaveLength(expected.conflicts.length)
      expect(new Set(merged.map(({ _id }) => _id)).size).toBe(merged.length)
    })
    fc.assert(property, { numRuns: 2000 })
  })

  it('has one conflict for a list that both changes reorder', () => {
    const [x, y, z] = ['x', 'y', 'z'].map((key) => ({ key }))
    const { value, conflicts } = undo({ list: [x, y, z] }, { list: [z, y, x] }, { list: [y, x, z] })
    expect(value).toEqual({ list: [y, x, z] })
    expect(conflicts.map(({ path }) => path)).toEqual(['/list'])
  })

  it('adds both changes of a count', () => {
    const isCount = (path: string) => path === '/size'
    const input = { base: { size: 5, name: 1 }, yours: { size: 3, name: 2 }, theirs: { size: 9, name: 3 } }
    expect(mergeThreeWay(input, isCount)).toEqual({
      value: { size: 7, name: 3 },
      conflicts: [{ path: '/name', base: 1, yours: 2, theirs: 3 }],
    })
  })
})
