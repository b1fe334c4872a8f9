import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isUnder, type TouchedRecords } from '../port.ts'
import { noticePayload, parseNotice } from './notice.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ maxLength: 300 }),
  fc.constantFrom('', '__proto__', '\u0000', '\ud800', 'proj/p:env/e'),
)
const nameAndScope = fc.record({ name: text, scope: text })
const touched: fc.Arbitrary<TouchedRecords> = fc.oneof(
  fc.record({
    kind: fc.constant('document' as const),
    id: fc.record({ collection: text, scope: text, key: text }),
  }),
  fc.record({ kind: fc.constant('collection' as const), collection: text, scope: text }),
  fc.record({ kind: fc.constant('scope' as const), scope: text }),
  fc.record({ kind: fc.constant('keys' as const), set: nameAndScope }),
  fc.record({ kind: fc.constant('samples' as const), series: nameAndScope }),
  fc.record({ kind: fc.constant('tasks' as const), queue: nameAndScope }),
)

function isCovered(entry: TouchedRecords, coverage: readonly TouchedRecords[] | 'anything'): boolean {
  if (coverage === 'anything') return true
  return coverage.some(
    (other) =>
      JSON.stringify(other) === JSON.stringify(entry) ||
      (entry.kind === 'document' &&
        other.kind === 'collection' &&
        other.collection === entry.id.collection &&
        isUnder(entry.id.scope, other.scope)),
  )
}

describe('a change notification', () => {
  it('fits into a payload of pg_notify and covers everything that was touched', () => {
    const many = fc.array(touched, { maxLength: 60, size: 'max' })
    fc.assert(
      fc.property(text, text, many, (sender, account, all) => {
        const payload = noticePayload({ sender, account, touched: all })
        expect(new TextEncoder().encode(payload).length).toBeLessThan(8000)
        const read = parseNotice(payload)
        expect(read).toMatchObject({ sender, account })
        for (const entry of all) expect(isCovered(entry, read?.touched ?? [])).toBe(true)
      }),
    )
  })

  it('names collections when there are too many documents, and `anything` when there are too many collections', () => {
    const documents = (count: number, scope: (i: number) => string): TouchedRecords[] =>
      Array.from({ length: count }, (_, i) => ({
        kind: 'document',
        id: { collection: 'flags', scope: scope(i), key: `key-${i}` },
      }))
    const read = (all: readonly TouchedRecords[]) =>
      parseNotice(noticePayload({ sender: 's', account: 'a', touched: all }))?.touched
    expect(read(documents(3, () => 'proj/p'))).toEqual(documents(3, () => 'proj/p'))
    expect(read(documents(1000, () => 'proj/p'))).toEqual([
      { kind: 'collection', collection: 'flags', scope: 'proj/p' },
    ])
    expect(read(documents(1000, (i) => `proj/${i}`))).toBe('anything')
  })

  it.each(['', 'null', '{}', '[]', '[1,2,3]', '["s"]', 'hello'])('cannot be %j', (payload) => {
    expect(parseNotice(payload)).toBeUndefined()
  })

  it.each(['[["x","y"]]', '[["d",1]]', '[3]', 'null', '7'])(
    'with the unknown entries %s counts as a change of anything',
    (entries) => {
      expect(parseNotice(`["s","a",${entries}]`)).toEqual({ sender: 's', account: 'a', touched: 'anything' })
    },
  )
})
