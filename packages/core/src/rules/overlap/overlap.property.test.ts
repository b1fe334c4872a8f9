import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { overlaps } from './index.ts'

interface Item {
  readonly _id: string
  readonly name: string
}

interface Target {
  readonly variation: number
  readonly values: readonly string[]
}

interface Document {
  readonly name: string
  readonly settings: Readonly<Record<string, string>>
  readonly tags: readonly string[]
  readonly items: readonly Item[]
  readonly targets: readonly Target[]
}

/** A change of a document, as a function that can run again on a newer document. */
interface Change {
  readonly title: string
  readonly run: (document: Document) => Document
}

const base: Document = {
  name: 'old',
  settings: { a: 'old', b: 'old' },
  tags: ['t1', 't2'],
  items: [
    { _id: 'i1', name: 'old' },
    { _id: 'i2', name: 'old' },
  ],
  targets: [
    { variation: 0, values: ['u1', 'u2'] },
    { variation: 1, values: ['u1'] },
  ],
}

const value = fc.constantFrom('x', 'y')
const changeOf = (title: string, run: Change['run']): Change => ({ title, run })
const withoutTag = (tags: readonly string[], tag: string) => tags.filter((other) => other !== tag)
/** Changes the values of one variation; a target without values is removed. */
const editTarget = (
  document: Document,
  variation: number,
  edit: (values: readonly string[]) => readonly string[],
): Document => {
  const isKnown = document.targets.some((target) => target.variation === variation)
  const targets = isKnown ? document.targets : [...document.targets, { variation, values: [] }]
  const edited = targets.map((target) =>
    target.variation === variation ? { ...target, values: edit(target.values) } : target,
  )
  return { ...document, targets: edited.filter(({ values }) => values.length > 0) }
}

/** Changes that have an effect on `base`, even after other changes. */
const change: fc.Arbitrary<Change> = fc.oneof(
  value.map((name) => changeOf(`name ${name}`, (document) => ({ ...document, name }))),
  fc.tuple(fc.constantFrom('a', 'b', 'c'), value).map(([key, name]) =>
    changeOf(`setting ${key} ${name}`, (document) => ({
      ...document,
      settings: { ...document.settings, [key]: name },
    })),
  ),
  fc
    .constantFrom('t3', 't4')
    .map((tag) =>
      changeOf(`add ${tag}`, (document) => ({ ...document, tags: [...withoutTag(document.tags, tag), tag] })),
    ),
  fc
    .constantFrom('t1', 't2')
    .map((tag) => changeOf(`remove ${tag}`, (document) => ({ ...document, tags: withoutTag(document.tags, tag) }))),
  fc
    .constantFrom(['x'], ['t1', 'x'], [])
    .map((tags) => changeOf(`tags ${tags}`, (document) => ({ ...document, tags }))),
  fc.tuple(fc.constantFrom('i1', 'i2'), value).map(([id, name]) =>
    changeOf(`item ${id} ${name}`, (document) => ({
      ...document,
      items: document.items.map((item) => (item._id === id ? { ...item, name } : item)),
    })),
  ),
  fc
    .constantFrom('i3', 'i4')
    .map((id) =>
      changeOf(`add ${id}`, (document) => ({ ...document, items: [...document.items, { _id: id, name: 'new' }] })),
    ),
  fc.constantFrom('i1', 'i2').map((id) =>
    changeOf(`remove ${id}`, (document) => ({
      ...document,
      items: document.items.filter(({ _id }) => _id !== id),
    })),
  ),
  fc
    .tuple(fc.constantFrom(0, 1, 2), fc.constantFrom('u3', 'u4'))
    .map(([variation, key]) =>
      changeOf(`target ${variation} ${key}`, (document) =>
        editTarget(document, variation, (keys) => [...new Set([...keys, key])]),
      ),
    ),
  fc
    .constantFrom(['u3'], ['u1'], [])
    .map((keys) => changeOf(`targets ${keys}`, (document) => editTarget(document, 0, () => keys))),
)

/**
 * Returns a document whose lists are sorted and have no duplicates. Concurrent additions can have any order, so lists
 * with the same elements count as equal.
 */
function unordered(document: unknown): unknown {
  if (Array.isArray(document)) return [...new Set(document.map((element) => JSON.stringify(unordered(element))))].sort()
  if (typeof document !== 'object' || document === null) return document
  return Object.fromEntries(Object.entries(document).map(([name, part]) => [name, unordered(part)]))
}

const elementwise = { changesElements: () => true }
const asWhole = { changesElements: () => false }

/** Returns the overlaps of two changes of `base`, the second of which runs on the result of the first. */
function overlapsInOrder(first: Change, second: Change) {
  const theirs = first.run(base)
  return overlaps({ base, theirs, yours: second.run(theirs) }, asWhole)
}

describe('overlaps', () => {
  it('are reported, in one order or the other, exactly if two changes do not commute', () => {
    const property = fc.property(change, change, (first, second) => {
      const commute =
        JSON.stringify(unordered(second.run(first.run(base)))) ===
        JSON.stringify(unordered(first.run(second.run(base))))
      const isReported = overlapsInOrder(first, second).length + overlapsInOrder(second, first).length > 0
      expect({ first: first.title, second: second.title, isReported }).toEqual({
        first: first.title,
        second: second.title,
        isReported: !commute,
      })
    })
    fc.assert(property, { numRuns: 2000 })
  })

  it('of objects are exactly the leaves that both changes changed', () => {
    const leaf = fc.option(fc.constantFrom(1, 2, 3), { nil: undefined })
    const document = fc.record({ a: leaf, 'b/c': leaf, d: fc.record({ e: leaf, length: leaf }) })
    const leavesOf = (of: { a?: unknown; 'b/c'?: unknown; d: Record<string, unknown> }) => ({
      '/a': of.a,
      '/b~1c': of['b/c'],
      '/d/e': of.d.e,
      '/d/length': of.d.length,
    })
    const property = fc.property(document, document, document, (before, theirs, yours) => {
      const [b, t, y] = [leavesOf(before), leavesOf(theirs), leavesOf(yours)]
      const expected = Object.keys(b).filter((path) => {
        const name = path as keyof typeof b
        return b[name] !== t[name] && t[name] !== y[name]
      })
      const reported = overlaps({ base: before, theirs, yours }, asWhole).map(({ path }) => path)
      expect(reported.sort()).toEqual(expected.sort())
    })
    fc.assert(property, { numRuns: 2000 })
  })

  it('never contain a list of scalars when two changes add and remove single elements of it', () => {
    const set = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'))
    const property = fc.property(set, set, set, (before, added, removed) => {
      const theirs = [...new Set([...before, ...added])]
      const yours = theirs.filter((element) => !removed.includes(element))
      expect(overlaps({ base: before, theirs, yours }, elementwise)).toEqual([])
      expect(
        overlaps({ base: theirs, theirs: yours, yours: theirs.filter((tag) => yours.includes(tag)) }, elementwise),
      ).toEqual([])
    })
    fc.assert(property)
  })

  it('contain a list that both changes reorder in different ways', () => {
    const ordered = (...ids: readonly string[]) => ({ rules: ids.map((_id) => ({ _id })) })
    const versions = { base: ordered('a', 'b', 'c'), theirs: ordered('b', 'a', 'c'), yours: ordered('c', 'b', 'a') }
    expect(overlaps(versions, elementwise).map(({ path }) => path)).toEqual(['/rules'])
    const added = { ...versions, yours: ordered('b', 'a', 'c', 'd') }
    expect(overlaps(added, elementwise)).toEqual([])
  })

  it('name an element by its index in the newest list, with the three values', () => {
    const rules = (...names: readonly (readonly [string, string])[]) => ({
      rules: names.map(([_id, name]) => ({ _id, name })),
    })
    const versions = {
      base: rules(['a', '1'], ['b', '1']),
      theirs: rules(['new', '0'], ['a', '1'], ['b', '2']),
      yours: rules(['new', '0'], ['a', '1'], ['b', '3']),
    }
    expect(overlaps(versions, elementwise)).toEqual([{ path: '/rules/2/name', base: '1', theirs: '2', yours: '3' }])
  })
})
