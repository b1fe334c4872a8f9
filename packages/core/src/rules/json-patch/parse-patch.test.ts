import { describe, expect, it } from 'vitest'
import { parsePatch } from './index.ts'

const pointer = (text: string, ...tokens: string[]) => ({ text, tokens })
const errorsOf = (body: unknown) => {
  const parsed = parsePatch(body)
  return parsed.ok ? [] : parsed.errors
}

describe('parsePatch', () => {
  const patch = [
    { op: 'add', path: '/a', value: null },
    { op: 'remove', path: '/a~1b' },
    { op: 'replace', path: '', value: [] },
    { op: 'move', from: '/a', path: '/ab' },
    { op: 'copy', from: '', path: '/b' },
    { op: 'test', path: '/c', value: false },
  ]
  const operations = [
    { op: 'add', path: pointer('/a', 'a'), value: null },
    { op: 'remove', path: pointer('/a~1b', 'a/b') },
    { op: 'replace', path: pointer(''), value: [] },
    { op: 'move', from: pointer('/a', 'a'), path: pointer('/ab', 'ab') },
    { op: 'copy', from: pointer(''), path: pointer('/b', 'b') },
    { op: 'test', path: pointer('/c', 'c'), value: false },
  ]

  it('parses a bare array with all six operations', () => {
    expect(parsePatch(patch)).toEqual({ ok: true, operations, comment: undefined })
  })

  it('parses an object with a comment and a patch', () => {
    expect(parsePatch({ comment: 'why', patch })).toEqual({ ok: true, operations, comment: 'why' })
    expect(parsePatch({ patch: [] })).toEqual({ ok: true, operations: [], comment: undefined })
  })

  it('ignores properties that the operation does not have', () => {
    expect(parsePatch([{ op: 'remove', path: '/a', value: 1, from: 7, note: 'x' }])).toMatchObject({ ok: true })
  })

  it.each([null, 'add', 7, {}, { patch: {} }, { operations: [] }])('rejects the body %j', (body) => {
    expect(errorsOf(body)).toEqual([
      { attribute: '', reason: 'must be an array of operations, or an object whose patch is one' },
    ])
  })

  it('rejects a comment that is not a string', () => {
    expect(errorsOf({ comment: 7, patch: [] })).toEqual([{ attribute: '/comment', reason: 'must be a string' }])
  })

  it.each([
    ['null', null, '', 'must be an object'],
    ['an array', [], '', 'must be an object'],
    ['a missing op', { path: '/a' }, '/op', 'must be one of add, remove, replace, move, copy, test'],
    ['an unknown op', { op: 'spam', path: '/a' }, '/op', 'must be one of add, remove, replace, move, copy, test'],
    ['an inherited op', { op: 'toString', path: '/a' }, '/op', 'must be one of add, remove, replace, move, copy, test'],
    ['no path', { op: 'remove' }, '/path', 'must be a JSON Pointer'],
    ['a path that is null', { op: 'remove', path: null }, '/path', 'must be a JSON Pointer'],
    ['a path without a slash', { op: 'remove', path: 'a' }, '/path', 'must be empty or begin with "/"'],
    ['add without a value', { op: 'add', path: '/a' }, '/value', 'must be present'],
    ['replace without a value', { op: 'replace', path: '/a' }, '/value', 'must be present'],
    ['test without a value', { op: 'test', path: '/a' }, '/value', 'must be present'],
    ['move without from', { op: 'move', path: '/a' }, '/from', 'must be a JSON Pointer'],
    ['copy with a bad from', { op: 'copy', from: '/~', path: '/a' }, '/from', 'must use "~" only in "~0" and "~1"'],
    ['a removal of the whole document', { op: 'remove', path: '' }, '/path', 'must not be the whole document'],
    ['a move into itself', { op: 'move', from: '/a', path: '/a/b' }, '/path', 'must not be inside the moved value'],
    [
      'a move of the whole document',
      { op: 'move', from: '', path: '/a' },
      '/path',
      'must not be inside the moved value',
    ],
    [
      '__proto__ in from',
      { op: 'copy', from: '/__proto__', path: '/a' },
      '/from',
      'must not contain the name "__proto__"',
    ],
  ])('rejects %s', (_, operation, property, reason) => {
    expect(errorsOf([{ op: 'remove', path: '/a' }, operation])).toEqual([{ attribute: `/1${property}`, reason }])
    expect(errorsOf({ patch: [operation] })).toEqual([{ attribute: `/patch/0${property}`, reason }])
  })

  it('reports up to 20 errors', () => {
    expect(errorsOf([{ op: 'add', path: 'a' }, 7]).map(({ attribute }) => attribute)).toEqual([
      '/0/path',
      '/0/value',
      '/1',
    ])
    expect(errorsOf(Array.from({ length: 30 }, () => ({})))).toHaveLength(20)
  })

  it('accepts 1,000 operations and rejects 1,001', () => {
    const thousand = Array.from({ length: 1_000 }, () => ({ op: 'remove', path: '/a' }))
    expect(errorsOf(thousand)).toEqual([])
    expect(errorsOf([...thousand, ...thousand])).toEqual([
      { attribute: '', reason: 'must not have more than 1000 operations' },
    ])
  })
})
