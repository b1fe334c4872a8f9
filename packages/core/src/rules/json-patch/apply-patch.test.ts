import { describe, expect, it } from 'vitest'
import { applyPatch, parsePatch } from './index.ts'

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze)
  return value
}

function apply(document: unknown, patch: unknown[], options = {}) {
  const parsed = parsePatch(deepFreeze(patch))
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))
  return applyPatch(deepFreeze(document), parsed.operations, options)
}

const add = (path: string, value: unknown) => ({ op: 'add', path, value })
const replace = (path: string, value: unknown) => ({ op: 'replace', path, value })
const remove = (path: string) => ({ op: 'remove', path })
const move = (from: string, path: string) => ({ op: 'move', from, path })
const copy = (from: string, path: string) => ({ op: 'copy', from, path })
const test = (path: string, value: unknown) => ({ op: 'test', path, value })

describe('operations that applyPatch applies', () => {
  it.each<[string, unknown, unknown[], unknown]>([
    ['nothing', { a: 1 }, [], { a: 1 }],

    ['add a property', { a: 1 }, [add('/b', 2)], { a: 1, b: 2 }],
    ['add an existing property, which is replaced', { a: 1 }, [add('/a', [2])], { a: [2] }],
    ['add null', {}, [add('/a', null)], { a: null }],
    ['add over null', { a: null }, [add('/a', 1)], { a: 1 }],
    ['add a property with an empty name', { a: 1 }, [add('/', 2)], { a: 1, '': 2 }],
    ['add a property with the name of an index', {}, [add('/0', 'x')], { 0: 'x' }],
    ['add a property named "-"', {}, [add('/-', 'x')], { '-': 'x' }],
    ['add a property with leading zeros to an object', {}, [add('/01', 'x')], { '01': 'x' }],
    [
      'add properties with escaped names',
      {},
      [add('/a~1b', 1), add('/m~0n', 2), add('/~01', 3)],
      { 'a/b': 1, 'm~n': 2, '~1': 3 },
    ],
    ['add a property with the name of a method', {}, [add('/toString', 1)], { toString: 1 }],
    ['add a nested property', { a: { b: [{}] } }, [add('/a/b/0/c', 1)], { a: { b: [{ c: 1 }] } }],
    ['add to the front of an array', [1, 2], [add('/0', 0)], [0, 1, 2]],
    ['add inside of an array', [1, 3], [add('/1', 2)], [1, 2, 3]],
    ['add at the index after the last element', [1, 2], [add('/2', 3)], [1, 2, 3]],
    ['add at "-"', [1, 2], [add('/-', 3)], [1, 2, 3]],
    ['add to an empty array', [], [add('/0', 1)], [1]],
    ['add an array as one element', [1], [add('/-', [2, 3])], [1, [2, 3]]],
    ['add an eleventh element at index 10', [...'0123456789'], [add('/10', 'x')], [...'0123456789x']],
    ['add to a value that was added before', {}, [add('/a', {}), add('/a/b', []), add('/a/b/-', 1)], { a: { b: [1] } }],
    ['add the whole document', { a: 1 }, [add('', [1])], [1]],

    ['replace a property', { a: 1, b: 2 }, [replace('/a', { c: 3 })], { a: { c: 3 }, b: 2 }],
    ['replace null', { a: null }, [replace('/a', 1)], { a: 1 }],
    ['replace a value by null', { a: 1 }, [replace('/a', null)], { a: null }],
    ['replace an element', [1, 2, 3], [replace('/1', 'x')], [1, 'x', 3]],
    ['replace a property with an empty name', { '': 1 }, [replace('/', 2)], { '': 2 }],
    ['replace the whole document', { a: 1 }, [replace('', 'x')], 'x'],
    ['replace a document that is neither an object nor an array', 'x', [replace('', { a: 1 })], { a: 1 }],

    ['remove a property', { a: 1, b: 2 }, [remove('/a')], { b: 2 }],
    ['remove null', { a: null }, [remove('/a')], {}],
    ['remove the first element', [1, 2, 3], [remove('/0')], [2, 3]],
    ['remove the last element', [1, 2, 3], [remove('/2')], [1, 2]],
    ['remove elements one after the other', [1, 2, 3, 4], [remove('/1'), remove('/2')], [1, 3]],
    ['remove a property that was added before', { a: 1 }, [add('/b', 1), remove('/b'), remove('/a')], {}],
    ['remove a nested property', { a: [{ b: 1, c: 2 }] }, [remove('/a/0/b')], { a: [{ c: 2 }] }],

    ['move a property', { a: 1 }, [move('/a', '/b')], { b: 1 }],
    ['move a value over another property', { a: 1, b: 2 }, [move('/a', '/b')], { b: 1 }],
    ['move a value to its own path', { a: 1, b: 2 }, [move('/a', '/a')], { a: 1, b: 2 }],
    ['move a value to a name that begins with its own name', { a: 1 }, [move('/a', '/ab')], { ab: 1 }],
    ['move an element forward', [1, 2, 3, 4], [move('/1', '/3')], [1, 3, 4, 2]],
    ['move an element back', [1, 2, 3, 4], [move('/3', '/1')], [1, 4, 2, 3]],
    ['move an element to the end', [1, 2, 3], [move('/0', '/-')], [2, 3, 1]],
    [
      'move an element from an array into an object',
      { a: [1, 2], b: {} },
      [move('/a/0', '/b/c')],
      { a: [2], b: { c: 1 } },
    ],
    ['move a value over its own parent', { a: { b: { c: 1 } } }, [move('/a/b', '/a')], { a: { c: 1 } }],
    ['move a value to the root', { a: { b: 1 } }, [move('/a', '')], { b: 1 }],
    ['move the root to itself', { a: 1 }, [move('', '')], { a: 1 }],
    ['move null', { a: null }, [move('/a', '/b')], { b: null }],
    ['move a value to a path that exists only after its removal', [1, 2, {}], [move('/0', '/1/a')], [2, { a: 1 }]],

    ['copy a property', { a: { b: 1 } }, [copy('/a', '/c')], { a: { b: 1 }, c: { b: 1 } }],
    ['copy an element into its array', [1, 2], [copy('/0', '/1')], [1, 1, 2]],
    ['copy an element to its own index', [1, 2], [copy('/1', '/1')], [1, 2, 2]],
    ['copy null', { a: null }, [copy('/a', '/b')], { a: null, b: null }],
    ['copy the whole document into itself', { a: 1 }, [copy('', '/b')], { a: 1, b: { a: 1 } }],
    ['copy a value to the root', { a: [1] }, [copy('/a', '')], [1]],

    ['test a text', { a: 'x' }, [test('/a', 'x')], { a: 'x' }],
    ['test null', { a: null }, [test('/a', null)], { a: null }],
    ['test false', { a: false }, [test('/a', false)], { a: false }],
    ['test numbers by value', JSON.parse('{"a":1.0,"b":-0}'), [test('/a', 1), test('/b', 0)], { a: 1, b: -0 }],
    [
      'test objects regardless of the order of their properties',
      { a: { x: 1, y: [2] } },
      [test('/a', { y: [2], x: 1 })],
      { a: { x: 1, y: [2] } },
    ],
    ['test the whole document', [1, { a: 2 }], [test('', [1, { a: 2 }])], [1, { a: 2 }]],
    ['test an element', { a: [1, [2]] }, [test('/a/1/0', 2)], { a: [1, [2]] }],
    ['test names with escapes', { '/': 9, '~1': 10 }, [test('/~01', 10), test('/~1', 9)], { '/': 9, '~1': 10 }],
    ['test the result of the previous operation', { a: 1 }, [replace('/a', 2), test('/a', 2)], { a: 2 }],
    ['test properties with empty names', { '': { '': 1 } }, [test('//', 1)], { '': { '': 1 } }],
  ])('%s', (_, document, patch, expected) => {
    expect(apply(document, patch)).toEqual({ ok: true, value: expected })
  })
})

describe('applyPatch with an invalid operation', () => {
  it.each<[string, unknown, unknown[], string, string]>([
    ['add below a missing property', { a: 1 }, [add('/b/c', 1)], 'path-missing', 'there is no "b" in the document'],
    ['add below a text', { a: 'x' }, [add('/a/0', 1)], 'path-missing', '/a is not an object or array'],
    ['add below null', { a: null }, [add('/a/b', 1)], 'path-missing', '/a is not an object or array'],
    [
      'add to a document that is neither an object nor an array',
      7,
      [add('/a', 1)],
      'path-missing',
      'the document is not an object or array',
    ],
    ['add past the end', [1], [add('/2', 1)], 'path-missing', 'there is no "2" in the document'],
    ['add at a negative index', [1], [add('/-1', 1)], 'invalid', '"-1" is not an array index of the document'],
    ['add with leading zeros', { a: [1] }, [add('/a/00', 1)], 'invalid', '"00" is not an array index of /a'],
    [
      'add at a name in an array',
      [1],
      [add('/length', 1)],
      'invalid',
      '"length" is not an array index of the document',
    ],
    [
      'add at an index with a fraction',
      [1],
      [add('/1.0', 1)],
      'invalid',
      '"1.0" is not an array index of the document',
    ],
    [
      'add at an index with an exponent',
      [1, 2],
      [add('/1e0', 1)],
      'invalid',
      '"1e0" is not an array index of the document',
    ],
    ['add at an index in other digits', [1], [add('/٠', 1)], 'invalid', '"٠" is not an array index of the document'],
    ['add at an empty index', [1], [add('/', 1)], 'invalid', '"" is not an array index of the document'],
    ['add below "-"', [{}], [add('/-/a', 1)], 'path-missing', 'there is no "-" in the document'],

    ['replace a missing property', { a: 1 }, [replace('/b', 1)], 'path-missing', 'there is no "b" in the document'],
    [
      'replace an inherited property',
      { a: {} },
      [replace('/a/toString', 1)],
      'path-missing',
      'there is no "toString" in /a',
    ],
    ['replace at "-"', [1], [replace('/-', 1)], 'path-missing', 'there is no "-" in the document'],
    ['replace past the end', [1], [replace('/1', 1)], 'path-missing', 'there is no "1" in the document'],
    [
      'replace with leading zeros',
      [1, 2],
      [replace('/01', 1)],
      'invalid',
      '"01" is not an array index of the document',
    ],
    [
      'replace the length of an array',
      { a: [1] },
      [replace('/a/length', 0)],
      'invalid',
      '"length" is not an array index of /a',
    ],

    ['remove a missing property', { a: { b: 1 } }, [remove('/a/c')], 'path-missing', 'there is no "c" in /a'],
    ['remove at "-"', [1], [remove('/-')], 'path-missing', 'there is no "-" in the document'],
    ['remove past the end', [1], [remove('/1')], 'path-missing', 'there is no "1" in the document'],
    [
      'remove an index with an exponent',
      [1, 2],
      [remove('/1e0')],
      'invalid',
      '"1e0" is not an array index of the document',
    ],
    ['remove twice', { a: 1 }, [remove('/a'), remove('/a')], 'path-missing', 'there is no "a" in the document'],
    [
      'remove an index that no array can have',
      [1],
      [remove('/9999999999999999')],
      'invalid',
      '"9999999999999999" is not an array index of the document',
    ],

    ['move a missing property', { a: 1 }, [move('/b', '/c')], 'path-missing', 'there is no "b" in the document'],
    [
      'move a missing property to its own path',
      { a: 1 },
      [move('/b', '/b')],
      'path-missing',
      'there is no "b" in the document',
    ],
    [
      'move to a path without a parent',
      { a: 1 },
      [move('/a', '/b/c')],
      'path-missing',
      'there is no "b" in the document',
    ],
    [
      'move past the end of the array without the moved element',
      [1, 2],
      [move('/0', '/2')],
      'path-missing',
      'there is no "2" in the document',
    ],
    ['copy a missing element', [1], [copy('/1', '/0')], 'path-missing', 'there is no "1" in the document'],
    [
      'copy to a path whose parent is a number',
      { a: 1 },
      [copy('/a', '/a/b')],
      'path-missing',
      '/a is not an object or array',
    ],

    ['test another value', { a: 1 }, [test('/a', 2)], 'test-failed', '/a has another value'],
    ['test a number against its text', { a: 1 }, [test('/a', '1')], 'test-failed', '/a has another value'],
    [
      'test null against a missing property',
      { a: 1 },
      [test('/b', null)],
      'test-failed',
      'there is no "b" in the document',
    ],
    ['test null against false', { a: false }, [test('/a', null)], 'test-failed', '/a has another value'],
    ['test an object against an array', { a: {} }, [test('/a', [])], 'test-failed', '/a has another value'],
    ['test an array against an object', { a: ['x'] }, [test('/a', { 0: 'x' })], 'test-failed', '/a has another value'],
    ['test an array in another order', { a: [1, 2] }, [test('/a', [2, 1])], 'test-failed', '/a has another value'],
    ['test a longer array', { a: [1] }, [test('/a', [1, 2])], 'test-failed', '/a has another value'],
    ['test an object with other names', { a: { x: 1 } }, [test('/a', { y: 1 })], 'test-failed', '/a has another value'],
    [
      'test an object that has more names',
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
    ['test with leading zeros', [1, 2], [test('/01', 2)], 'test-failed', '"01" is not an array index of the document'],
  ])('refuses to %s', (_, document, patch, kind, reason) => {
    expect(apply(document, patch)).toEqual({ ok: false, index: patch.length - 1, kind, reason })
  })

  it('refuses the whole patch if one operation fails', () => {
    const document = { a: [1], b: 2 }
    expect(apply(document, [add('/a/-', 2), remove('/b'), test('/a', []), add('/c', 1)])).toMatchObject({
      ok: false,
      index: 2,
    })
    expect(document).toEqual({ a: [1], b: 2 })
  })
})

describe('the result of applyPatch', () => {
  const document = { left: { x: [1, { y: 1 }] }, right: { z: [{ w: 1 }, { v: 1 }] } }
  type Shape = typeof document

  it('shares everything outside the changed paths with the document', () => {
    const outcome = apply(document, [replace('/right/z/0/w', 2), add('/right/new', 1)])
    const value = (outcome as { value: Shape }).value
    expect(value.left).toBe(document.left)
    expect(value.right.z[1]).toBe(document.right.z[1])
    expect(value.right.z[0]).toEqual({ w: 2 })
  })

  it('is the same object as the document if nothing is written', () => {
    expect(apply(document, [test('/left/x/0', 1)])).toEqual({ ok: true, value: document })
    expect((apply(document, [test('/left/x/0', 1)]) as { value: Shape }).value).toBe(document)
  })

  it('shares a copied value only until one of its two places changes', () => {
    expect(apply({ a: { b: [1] } }, [add('/a/b/-', 2), copy('/a', '/c'), add('/c/b/-', 3), add('/a/b/-', 4)])).toEqual({
      ok: true,
      value: { a: { b: [1, 2, 4] }, c: { b: [1, 2, 3] } },
    })
    expect(apply({ a: {} }, [add('/a/x', 1), copy('', '/b'), add('/b/a/y', 2), add('/a/z', 3)])).toEqual({
      ok: true,
      value: { a: { x: 1, z: 3 }, b: { a: { x: 1, y: 2 } } },
    })
  })

  it('contains the values of the operations without modifying them', () => {
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

describe('the size limits of applyPatch', () => {
  const tooLarge = { kind: 'invalid', reason: 'the document would become too large or too deep' }

  it('reject repeated copies that double the document each time', () => {
    const doubling = Array.from({ length: 40 }, (_, i) => copy('', `/copy${i}`))
    expect(apply({ text: 'x'.repeat(100) }, doubling)).toMatchObject({ ok: false, ...tooLarge })
  })

  it('count values and characters of copied values', () => {
    // The object, the name "ab", the text "xyz" itself, and the array with its two numbers.
    const document = { a: { ab: 'xyz', '': [1, 2] } }
    const weight = 1 + 2 + (1 + 3) + (1 + 2)
    expect(apply(document, [copy('/a', '/b')], { copyBudget: weight })).toMatchObject({ ok: true })
    expect(apply(document, [copy('/a', '/b')], { copyBudget: weight - 1 })).toMatchObject({ ok: false, ...tooLarge })
    expect(apply(document, [copy('/a', '/b'), copy('/a', '/c')], { copyBudget: 2 * weight - 1 })).toMatchObject({
      ok: false,
      index: 1,
    })
  })

  it('reject documents deeper than 128 levels', () => {
    const chain = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)
    const path = `/to${'/a'.repeat(60)}`
    const document = (levels: number) => ({ from: chain(levels), to: chain(61) })
    expect(apply(document(67), [copy('/from', path)])).toMatchObject({ ok: true })
    expect(apply(document(68), [copy('/from', path)])).toMatchObject({ ok: false, ...tooLarge })
    expect(apply(document(67), [move('/from', path)])).toMatchObject({ ok: true })
    expect(apply(document(68), [move('/from', path)])).toMatchObject({ ok: false, ...tooLarge })
  })
})

describe('applyPatch and prototypes', () => {
  it('keeps __proto__ as an own property', () => {
    const value = JSON.parse('{"__proto__":{"polluted":true}}')
    const outcome = apply({ a: {} }, [add('/b', value), add('/b/c', 1), add('/a/d', 2)])
    const result = (outcome as { value: Record<string, object> }).value
    expect(Object.getPrototypeOf(result.b)).toBe(Object.prototype)
    expect(Object.keys(result.b!)).toEqual(['__proto__', 'c'])
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})
