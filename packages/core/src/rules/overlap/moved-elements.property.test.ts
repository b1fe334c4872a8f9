import fc from 'fast-check'
import { expect, it } from 'vitest'
import { applyPatch, parsePatch } from '../json-patch/index.ts'
import { movedElements } from './index.ts'

interface Item {
  readonly _id: string
  readonly name: string
}

interface Document {
  readonly items: readonly Item[]
}

const ids = ['a', 'b', 'c', 'd', 'e']
const item = (_id: string): Item => ({ _id, name: 'old' })
const lists = fc.shuffledSubarray(ids).map((chosen): Document => ({ items: chosen.map(item) }))
const index = fc.nat(ids.length)
const operation = fc.oneof(
  index.map((i) => ({ op: 'replace', path: `/items/${i}/name`, value: 'new' })),
  index.map((i) => ({ op: 'remove', path: `/items/${i}` })),
  index.map((i) => ({ op: 'add', path: `/items/${i}/note`, value: 'new' })),
  fc.constant({ op: 'add', path: '/items/-', value: item('added') }),
  index.map((i) => ({ op: 'add', path: `/items/${i}`, value: item('added') })),
  fc.constant({ op: 'replace', path: '/items', value: [item('added')] }),
)

const parsed = (operations: readonly object[]) => {
  const patch = parsePatch(operations)
  if (!patch.ok) throw new Error('the patch is not valid')
  return patch.operations
}

/** Returns the ids of the elements that a patch changes or removes; undefined when it cannot be applied. */
function touchedBy(operations: readonly object[], document: Document): readonly string[] | undefined {
  const outcome = applyPatch(document, parsed(operations))
  if (!outcome.ok) return undefined
  const { items } = outcome.value as Document
  const after = new Map(items.map((element) => [element._id, JSON.stringify(element)]))
  return document.items.filter((element) => after.get(element._id) !== JSON.stringify(element)).map(({ _id }) => _id)
}

const operations = fc.array(operation, { minLength: 1, maxLength: 3 })

it('a patch without moved elements changes the same elements of both documents', () => {
  const property = fc.property(operations, lists, lists, (patch, base, theirs) => {
    const touched = touchedBy(patch, base)
    fc.pre(touched !== undefined && patch.every(({ path }) => path !== '/items'))
    if (movedElements(parsed(patch), base, theirs).length > 0) return
    // A patch that cannot be applied changes nothing.
    expect(touchedBy(patch, theirs) ?? touched).toEqual(touched)
  })
  fc.assert(property, { numRuns: 3000 })
})

it('a patch of one operation has moved elements only if it changes other elements of the other document', () => {
  const property = fc.property(operation, lists, lists, (patch, base, theirs) => {
    const touched = touchedBy([patch], base)
    fc.pre(touched !== undefined && patch.path !== '/items')
    const isMoved = JSON.stringify(touchedBy([patch], theirs)) !== JSON.stringify(touched)
    // An insertion beyond the end names no element, although it cannot be applied.
    fc.pre(!isMoved || touched.length > 0)
    expect(movedElements(parsed([patch]), base, theirs).length > 0).toBe(isMoved)
  })
  fc.assert(property, { numRuns: 3000 })
})

it('scalars are compared by value, and objects with a list of values by their other properties', () => {
  const patch = parsed([{ op: 'remove', path: '/tags/0' }])
  expect(movedElements(patch, { tags: ['a', 'b'] }, { tags: ['b'] })).toEqual([
    { path: '/tags/0', base: 'a', theirs: 'b' },
  ])
  expect(movedElements(patch, { tags: ['a'] }, { tags: ['a', 'b'] })).toEqual([])
  const target = (...values: readonly string[]) => ({ targets: [{ variation: 0, values }] })
  const add = parsed([{ op: 'add', path: '/targets/0/values/-', value: 'x' }])
  expect(movedElements(add, target('a'), target('a', 'b'))).toEqual([])
  const other = { targets: [{ variation: 1, values: ['a'] }] }
  expect(movedElements(add, target('a'), other).map(({ path }) => path)).toEqual(['/targets/0'])
})
