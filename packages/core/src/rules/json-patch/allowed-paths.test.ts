import { describe, expect, it } from 'vitest'
import { forbiddenPaths, parsePatch } from './index.ts'

function forbidden(patch: unknown[], allowed: string[]) {
  const parsed = parsePatch(patch)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))
  return forbiddenPaths(parsed.operations, allowed)
}
const isAllowed = (entry: string, path: string) => forbidden([{ op: 'add', path, value: 1 }], [entry]).length === 0

describe('forbiddenPaths', () => {
  it.each([
    ['/name', ['/name'], ['', '/', '/names', '/name/', '/name/first', '/other/name']],
    ['/tags/*', ['/tags/0', '/tags/-', '/tags/'], ['/tags', '/tags/0/x', '/tagsx/0', '/']],
    ['/metadata/**', ['/metadata', '/metadata/', '/metadata/a', '/metadata/a/b/c'], ['', '/metadatax', '/x/metadata']],
    [
      '/phases/*/name',
      ['/phases/0/name', '/phases/-/name'],
      ['/phases', '/phases/0', '/phases/name', '/phases/0/name/x'],
    ],
    ['/a/*/b/**', ['/a/0/b', '/a/0/b/c/d'], ['/a/0', '/a/b', '/a/0/c']],
    ['/a~1b', ['/a~1b'], ['/a/b', '/a']],
    ['/**', ['', '/', '/a', '/a/b'], []],
    ['', [''], ['/', '/a']],
  ])('allows exactly the paths that match the entry %j', (entry, allowed, notAllowed) => {
    expect(allowed.filter((path) => !isAllowed(entry, path))).toEqual([])
    expect(notAllowed.filter((path) => isAllowed(entry, path))).toEqual([])
  })

  it('accepts a path that matches one of several entries, and none if the list is empty', () => {
    const patch = [{ op: 'add', path: '/b', value: 1 }]
    expect(forbidden(patch, ['/a', '/b'])).toEqual([])
    expect(forbidden(patch, [])).toEqual([{ index: 0, path: '/b' }])
  })

  it('returns each forbidden path with the index of its operation', () => {
    const patch = [
      { op: 'replace', path: '/name', value: 1 },
      { op: 'replace', path: '/key', value: 1 },
      { op: 'remove', path: '/version' },
    ]
    expect(forbidden(patch, ['/name'])).toEqual([
      { index: 1, path: '/key' },
      { index: 2, path: '/version' },
    ])
  })

  it('forbids moving a value away from a forbidden path', () => {
    expect(forbidden([{ op: 'move', from: '/key', path: '/name' }], ['/name'])).toEqual([{ index: 0, path: '/key' }])
    expect(forbidden([{ op: 'move', from: '/name', path: '/key' }], ['/name'])).toEqual([{ index: 0, path: '/key' }])
  })

  it('allows copy and test to read every path', () => {
    expect(forbidden([{ op: 'copy', from: '/key', path: '/name' }], ['/name'])).toEqual([])
    expect(forbidden([{ op: 'test', path: '/version', value: 1 }], ['/name'])).toEqual([])
    expect(forbidden([{ op: 'copy', from: '/name', path: '/key' }], ['/name'])).toEqual([{ index: 0, path: '/key' }])
  })
})
