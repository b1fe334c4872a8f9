import { describe, expect, it } from 'vitest'
import { applyPatch, parsePatch } from './index.ts'

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze)
  return value
}

function apply(document: unknown, patch: unknown[], options = {}) {
  const parsed = parsePatch(deepFreeze(patch))
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults))
  return applyPatch(deepFreeze(document), parsed.operations, options)
}

const add = (path: string, value: unknown) => ({ op: 'add', path, value })
const replace = (path: string, value: unknown) => ({ op: 'replace', path, value })
const remove = (path: string) => ({ op: 'remove', path })
const move = (from: string, path: string) => ({ op: 'move', from, path })
const copy = (from: string, path: string) => ({ op: 'copy', from, path })
const test = (path: string, value: unknown) => ({ op: 'test', path, value })

describe('applyPatch does', () => {
  it.each<[string, unknown, unknown[], unknown]>([
    ['nothing', { a: 1 }, [], { a: 1 }],

    ['add a member', { a: 1 }, [add('/b', 2)], { a: 1, b: 2 }],
    ['add a member that is there: it is replaced', { a: 1 }, [add('/a', [2])], { a: [2] }],
    ['add null', {}, [add('/a', null)], { a: null }],
    ['add over null', { a: null }, [add('/a', 1)], { a: 1 }],
    ['add a member with an empty name', { a: 1 }, [add('/', 2)], { a: 1, '': 2 }],
    ['add a member named like an index', {}, [add('/0', 'x')], { 0: 'x' }],
    ['add a member named "-"', {}, [add('/-', 'x')], { '-': 'x' }],
    ['add a member with leading zeros, in an object', {}, [add('/01', 'x')], { '01': 'x' }],
    [
      'add members with escaped names',
      {},
      [add('/a~1b', 1), add('/m~0n', 2), add('/~01', 3)],
      { 'a/b': 1, 'm~n': 2, '~1': 3 },
    ],
    ['add a member with the name of a method', {}, [add('/toString', 1)], { toString: 1 }],
    ['add deep down', { a: { b: [{}] } }, [add('/a/b/0/c', 1)], { a: { b: [{ c: 1 }] } }],
    ['add to the front of an array', [1, 2], [add('/0', 0)], [0, 1, 2]],
    ['add inside of an array', [1, 3], [add('/1', 2)], [1, 2, 3]],
    ['add at the index behind the last', [1, 2], [add('/2', 3)], [1, 2, 3]],
    ['add at "-"', [1, 2], [add('/-', 3)], [1, 2, 3]],
    ['add to an empty array', [], [add('/0', 1)], [1]],
    ['add an array as one element', [1], [add('/-', [2, 3])], [1, [2, 3]]],
    ['add an eleventh element at index 10', [...'0123456789'], [add('/10', 'x')], [...'0123456789x']],
    ['add to what was added', {}, [add('/a', {}), add('/a/b', []), add('/a/b/-', 1)], { a: { b: [1] } }],
    ['add the whole document', { a: 1 }, [add('', [1])], [1]],

    ['replace a member', { a: 1, b: 2 }, [replace('/a', { c: 3 })], { a: { c: 3 }, b: 2 }],
    ['replace null', { a: null }, [replace('/a', 1)], { a: 1 }],
    ['replace by null', { a: 1 }, [replace('/a', null)], { a: null }],
    ['replace an element', [1, 2, 3], [replace('/1', 'x')], [1, 'x', 3]],
    ['replace a member with an empty name', { '': 1 }, [replace('/', 2)], { '': 2 }],
    ['replace the whole document', { a: 1 }, [replace('', 'x')], 'x'],
    ['replace a document that is no container', 'x', [replace('', { a: 1 })], { a: 1 }],

    ['remove a member', { a: 1, b: 2 }, [remove('/a')], { b: 2 }],
    ['remove null', { a: null }, [remove('/a')], {}],
    ['remove the first element', [1, 2, 3], [remove('/0')], [2, 3]],
    ['remove the last element', [1, 2, 3], [remove('/2')], [1, 2]],
    ['remove elements one after the other', [1, 2, 3, 4], [remove('/1'), remove('/2')], [1, 3]],
    ['remove what was added', { a: 1 }, [add('/b', 1), remove('/b'), remove('/a')], {}],
    ['remove deep down', { a: [{ b: 1, c: 2 }] }, [remove('/a/0/b')], { a: [{ c: 2 }] }],

    ['move a member', { a: 1 }, [move('/a', '/b')], { b: 1 }],
    ['move over another member', { a: 1, b: 2 }, [move('/a', '/b')], { b: 1 }],
    ['move to where it is', { a: 1, b: 2 }, [move('/a', '/a')], { a: 1, b: 2 }],
    ['move to a name that continues its own', { a: 1 }, [move('/a', '/ab')], { ab: 1 }],
    ['move an element forward', [1, 2, 3, 4], [move('/1', '/3')], [1, 3, 4, 2]],
    ['move an element back', [1, 2, 3, 4], [move('/3', '/1')], [1, 4, 2, 3]],
    ['move an element to the end', [1, 2, 3], [move('/0', '/-')], [2, 3, 1]],
    ['move from an array into an object', { a: [1, 2], b: {} }, [move('/a/0', '/b/c')], { a: [2], b: { c: 1 } }],
    ['move upwards over its own parent', { a: { b: { c: 1 } } }, [move('/a/b', '/a')], { a: { c: 1 } }],
    ['move in the place of the whole document', { a: { b: 1 } }, [move('/a', '')], { b: 1 }],
    ['move the whole document onto itself', { a: 1 }, [move('', '')], { a: 1 }],
    ['move null', { a: null }, [move('/a', '/b')], { b: null }],
    ['move to a place that is only there once the value is gone', [1, 2, {}], [move('/0', '/1/a')], [2, { a: 1 }]],

    ['copy a member', { a: { b: 1 } }, [copy('/a', '/c')], { a: { b: 1 }, c: { b: 1 } }],
    ['copy an element into its array', [1, 2], [copy('/0', '/1')], [1, 1, 2]],
    ['copy onto itself in an array', [1, 2], [copy('/1', '/1')], [1, 2, 2]],
    ['copy null', { a: null }, [copy('/a', '/b')], { a: null, b: null }],
    ['copy the whole document into itself', { a: 1 }, [copy('', '/b')], { a: 1, b: { a: 1 } }],
    ['copy in the place of the whole document', { a: [1] }, [copy('/a', '')], [1]],

    ['test a text', { a: 'x' }, [test('/a', 'x')], { a: 'x' }],
    ['test null', { a: null }, [test('/a', null)], { a: null }],
    ['test false', { a: false }, [test('/a', false)], { a: false }],
    ['test numbers by value', JSON.parse('{"a":1.0,"b":-0}'), [test('/a', 1), test('/b', 0)], { a: 1, b: -0 }],
    ['test objects in any order', { a: { x: 1, y: [2] } }, [test('/a', { y: [2], x: 1 })], { a: { x: 1, y: [2] } }],
    ['test the whole document', [1, { a: 2 }], [test('', [1, { a: 2 }])], [1, { a: 2 }]],
    ['test an element', { a: [1, [2]] }, [test('/a/1/0', 2)], { a: [1, [2]] }],
    ['test names with escapes', { '/': 9, '~1': 10 }, [test('/~01', 10), test('/~1', 9)], { '/': 9, '~1': 10 }],
    ['test what the operation before did', { a: 1 }, [replace('/a', 2), test('/a', 2)], { a: 2 }],
    ['test the empty name', { '': { '': 1 } }, [test('//', 1)], { '': { '': 1 } }],
  ])('%s', (_, document, patch, expected) => {
    expect(apply(document, patch)).toEqual({ ok: true, value: expected })
  })
})

describe('applyPatch refuses', () => {
  it.each<[string, unknown, unknown[], string, string]>([
    ['add below nothing', { a: 1 }, [add('/b/c', 1)], 'path-missing', 'there is no "b" in the document'],
    ['add below a text', { a: 'x' }, [add('/a/0', 1)], 'path-missing', '/a has no members'],
    ['add below null', { a: null }, [add('/a/b', 1)], 'path-missing', '/a has no members'],
    ['add to a document that is no container', 7, [add('/a', 1)], 'path-missing', 'the document has no members'],
    ['add past the end', [1], [add('/2', 1)], 'path-missing', 'there is no "2" in the document'],
    ['add at a negative index', [1], [add('/-1', 1)], 'invalid', '"-1" is no array index in the document'],
    ['add with leading zeros', { a: [1] }, [add('/a/00', 1)], 'invalid', '"00" is no array index in /a'],
    ['add at a name', [1], [add('/length', 1)], 'invalid', '"length" is no array index in the document'],
    ['add at an index with a fraction', [1], [add('/1.0', 1)], 'invalid', '"1.0" is no array index in the document'],
    ['add at an exponent', [1, 2], [add('/1e0', 1)], 'invalid', '"1e0" is no array index in the document'],
    ['add at an index in other digits', [1], [add('/٠', 1)], 'invalid', '"٠" is no array index in the document'],
    ['add at an empty index', [1], [add('/', 1)], 'invalid', '"" is no array index in the document'],
    ['add below "-"', [{}], [add('/-/a', 1)], 'path-missing', 'there is no "-" in the document'],

    ['replace what is not there', { a: 1 }, [replace('/b', 1)], 'path-missing', 'there is no "b" in the document'],
    [
      'replace what is only inherited',
      { a: {} },
      [replace('/a/toString', 1)],
      'path-missing',
      'there is no "toString" in /a',
    ],
    ['replace at "-"', [1], [replace('/-', 1)], 'path-missing', 'there is no "-" in the document'],
    ['replace past the end', [1], [replace('/1', 1)], 'path-missing', 'there is no "1" in the document'],
    ['replace with leading zeros', [1, 2], [replace('/01', 1)], 'invalid', '"01" is no array index in the document'],
    [
      'replace the length of an array',
      { a: [1] },
      [replace('/a/length', 0)],
      'invalid',
      '"length" is no array index in /a',
    ],

    ['remove what is not there', { a: { b: 1 } }, [remove('/a/c')], 'path-missing', 'there is no "c" in /a'],
    ['remove at "-"', [1], [remove('/-')], 'path-missing', 'there is no "-" in the document'],
    ['remove past the end', [1], [remove('/1')], 'path-missing', 'there is no "1" in the document'],
    ['remove an exponent', [1, 2], [remove('/1e0')], 'invalid', '"1e0" is no array index in the document'],
    ['remove twice', { a: 1 }, [remove('/a'), remove('/a')], 'path-missing', 'there is no "a" in the document'],
    [
      'remove an index of no possible array',
      [1],
      [remove('/9999999999999999')],
      'invalid',
      '"9999999999999999" is no array index in the document',
    ],

    ['move what is not there', { a: 1 }, [move('/b', '/c')], 'path-missing', 'there is no "b" in the document'],
    [
      'move what is not there to where it is not',
      { a: 1 },
      [move('/b', '/b')],
      'path-missing',
      'there is no "b" in the document',
    ],
    ['move to nowhere', { a: 1 }, [move('/a', '/b/c')], 'path-missing', 'there is no "b" in the document'],
    [
      'move past the end, which is one nearer',
      [1, 2],
      [move('/0', '/2')],
      'path-missing',
      'there is no "2" in the document',
    ],
    ['copy what is not there', [1], [copy('/1', '/0')], 'path-missing', 'there is no "1" in the document'],
    ['copy to nowhere', { a: 1 }, [copy('/a', '/a/b')], 'path-missing', '/a has no members'],

    ['test another value', { a: 1 }, [test('/a', 2)], 'test-failed', '/a has another value'],
    ['test a number against its text', { a: 1 }, [test('/a', '1')], 'test-failed', '/a has another value'],
    ['test null against nothing', { a: 1 }, [test('/b', null)], 'test-failed', 'there is no "b" in the document'],
    ['test null against false', { a: false }, [test('/a', null)], 'test-failed', '/a has another value'],
    ['test an object against an array', { a: {} }, [test('/a', [])], 'test-failed', '/a has another value'],
    ['test an array against an object', { a: ['x'] }, [test('/a', { 0: 'x' })], 'test-failed', '/a has another value'],
    ['test an array in another order', { a: [1, 2] }, [test('/a', [2, 1])], 'test-failed', '/a has another value'],
    ['test a longer array', { a: [1] }, [test('/a', [1, 2])], 'test-failed', '/a has another value'],
    ['test an object with other names', { a: { x: 1 } }, [test('/a', { y: 1 })], 'test-failed', '/a has another value'],
    [
      'test an object with more names',
      { a: { x: 1, y: 2 } },
      [test('/a', { x: 1 })],
      'test-failed',
      '/a has another value',
    ],
    [
      'test an own __proto__ against an inherited one',
      JSON.parse('{"a":{"__proto__":{}}}'),
      [test('/a', { x: 1 })],
      'test-failed',
      '/a has another value',
    ],
    ['test a name by its escape', { '~1': 10 }, [test('/~1', 10)], 'test-failed', 'there is no "/" in the document'],
    ['test with leading zeros', [1, 2], [test('/01', 2)], 'test-failed', '"01" is no array index in the document'],
  ])('to %s', (_, document, patch, kind, reason) => {
    expect(apply(document, patch)).toEqual({ ok: false, index: patch.length - 1, kind, reason })
  })

  it('the whole patch for one operation', () => {
    const document = { a: [1], b: 2 }
    expect(apply(document, [add('/a/-', 2), remove('/b'), test('/a', []), add('/c', 1)])).toMatchObject({
      ok: false,
      index: 2,
    })
    expect(document).toEqual({ a: [1], b: 2 })
  })
})

describe('applyPatch shares', () => {
  const document = { left: { x: [1, { y: 1 }] }, right: { z: [{ w: 1 }, { v: 1 }] } }
  type Shape = typeof document

  it('what is not on a changed path with the document', () => {
    const outcome = apply(document, [replace('/right/z/0/w', 2), add('/right/new', 1)])
    const value = (outcome as { value: Shape }).value
    expect(value.left).toBe(document.left)
    expect(value.right.z[1]).toBe(document.right.z[1])
    expect(value.right.z[0]).toEqual({ w: 2 })
  })

  it('everything when nothing is written', () => {
    expect(apply(document, [test('/left/x/0', 1)])).toEqual({ ok: true, value: document })
    expect((apply(document, [test('/left/x/0', 1)]) as { value: Shape }).value).toBe(document)
  })

  it('a copy only until one of the two is written to', () => {
    expect(apply({ a: { b: [1] } }, [add('/a/b/-', 2), copy('/a', '/c'), add('/c/b/-', 3), add('/a/b/-', 4)])).toEqual({
      ok: true,
      value: { a: { b: [1, 2, 4] }, c: { b: [1, 2, 3] } },
    })
    expect(apply({ a: {} }, [add('/a/x', 1), copy('', '/b'), add('/b/a/y', 2), add('/a/z', 3)])).toEqual({
      ok: true,
      value: { a: { x: 1, z: 3 }, b: { a: { x: 1, y: 2 } } },
    })
  })

  it('values with the operations, and writes to neither', () => {
    const patch = [
      add('/a', { list: [] }),
      copy('/a', '/b'),
      add('/a/list/-', 1),
      move('/a', '/c'),
      add('/c/list/-', 2),
    ]
    const parsed = parsePatch(patch)
    if (!parsed.ok) throw new Error('patch refused')
    const expected = { ok: true, value: { b: { list: [] }, c: { list: [1, 2] } } }
    expect(applyPatch(deepFreeze({}), parsed.operations)).toEqual(expected)
    expect(applyPatch(deepFreeze({}), parsed.operations)).toEqual(expected)
  })
})

describe('applyPatch keeps the document small', () => {
  const tooMuch = { kind: 'invalid', reason: 'the document would become too large or too deep' }

  it('refuses copies of copies that double each time', () => {
    const doubling = Array.from({ length: 40 }, (_, i) => copy('', `/copy${i}`))
    expect(apply({ text: 'x'.repeat(100) }, doubling)).toMatchObject({ ok: false, ...tooMuch })
  })

  it('counts values and characters of what is copied', () => {
    // The object, the name "ab", the text "xyz" with itself, and the array with its two numbers.
    const document = { a: { ab: 'xyz', '': [1, 2] } }
    const weight = 1 + 2 + (1 + 3) + (1 + 2)
    expect(apply(document, [copy('/a', '/b')], { copyBudget: weight })).toMatchObject({ ok: true })
    expect(apply(document, [copy('/a', '/b')], { copyBudget: weight - 1 })).toMatchObject({ ok: false, ...tooMuch })
    expect(apply(document, [copy('/a', '/b'), copy('/a', '/c')], { copyBudget: 2 * weight - 1 })).toMatchObject({
      ok: false,
      index: 1,
    })
  })

  it('refuses what would nest deeper than 128 levels', () => {
    const chain = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)
    const path = `/to${'/a'.repeat(60)}`
    const document = (levels: number) => ({ from: chain(levels), to: chain(61) })
    expect(apply(document(67), [copy('/from', path)])).toMatchObject({ ok: true })
    expect(apply(document(68), [copy('/from', path)])).toMatchObject({ ok: false, ...tooMuch })
    expect(apply(document(67), [move('/from', path)])).toMatchObject({ ok: true })
    expect(apply(document(68), [move('/from', path)])).toMatchObject({ ok: false, ...tooMuch })
  })
})

describe('applyPatch and prototypes', () => {
  it('keeps an own member named __proto__ what it is', () => {
    const value = JSON.parse('{"__proto__":{"polluted":true}}')
    const outcome = apply({ a: {} }, [add('/b', value), add('/b/c', 1), add('/a/d', 2)])
    const result = (outcome as { value: Record<string, object> }).value
    expect(Object.getPrototypeOf(result.b)).toBe(Object.prototype)
    expect(Object.keys(result.b!)).toEqual(['__proto__', 'c'])
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})
