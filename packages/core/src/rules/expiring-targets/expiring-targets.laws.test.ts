import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ExpiringTarget, type ExpiryEdit, editExpiringTargets, expiredTargets } from './expiring-targets.ts'

const now = 1_000

/** Targets are the keys below 4 in the list `in`; all other keys are not targets. */
const isTarget = ({ place, contextKey }: { place: string; contextKey: string }) =>
  place === 'in' && Number(contextKey) < 4

const edit: fc.Arbitrary<ExpiryEdit> = fc
  .record({
    do: fc.constantFrom('add', 'update', 'remove'),
    place: fc.constantFrom('in', 'out'),
    contextKind: fc.constantFrom('user', 'org'),
    contextKey: fc.integer({ min: 0, max: 4 }).map(String),
    expiresAt: fc.integer({ min: now - 1, max: now + 3 }),
    version: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  })
  .map((made) => made as ExpiryEdit)

function follow(before: readonly ExpiringTarget[], edits: readonly ExpiryEdit[]) {
  let ids = before.length
  return editExpiringTargets(before, edits, { isTarget, now, newId: () => `id-${++ids}` })
}

/** A second implementation: it applies one edit at a time to a plain list. */
function byHand(edits: readonly ExpiryEdit[]) {
  let list: ExpiringTarget[] = []
  const faulty: number[] = []
  let ids = 0
  edits.forEach((one, index) => {
    const same = (other: ExpiringTarget) =>
      other.place === one.place && other.contextKind === one.contextKind && other.contextKey === one.contextKey
    const there = list.find(same)
    const stale = there !== undefined && one.version !== undefined && one.version !== there.version
    if (one.do === 'remove') {
      if (stale) faulty.push(index)
      else list = list.filter((other) => !same(other))
      return
    }
    const { place, contextKind, contextKey, expiresAt } = one
    const possible =
      !stale &&
      place === 'in' &&
      contextKey !== '4' &&
      expiresAt > now &&
      (one.do === 'add' ? !there || there.expiresAt === expiresAt : there !== undefined)
    if (!possible) faulty.push(index)
    else if (!there) list.push({ id: `id-${++ids}`, version: 1, place, contextKind, contextKey, expiresAt })
    else if (there.expiresAt !== expiresAt) {
      list = list.map((other) => (same(other) ? { ...other, version: other.version + 1, expiresAt } : other))
    }
  })
  return { list, faulty }
}

describe('editExpiringTargets', () => {
  it('returns the targets and the failed edits of the model', () => {
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 25 }), (edits) => {
        const { targets, faults } = follow([], edits)
        const { list, faulty } = byHand(edits)
        expect(targets).toEqual(list)
        expect(faults.map(({ index }) => index)).toEqual(faulty)
      }),
    )
  })

  it('changes nothing when the same edits are applied again', () => {
    const sound = edit.map((one): ExpiryEdit => ({ ...one, version: undefined }))
    fc.assert(
      fc.property(
        fc.uniqueArray(sound, { selector: ({ place, contextKind, contextKey }) => place + contextKind + contextKey }),
        (edits) => {
          const once = follow([], edits)
          const good = edits.filter((_, at) => !once.faults.some(({ index }) => index === at))
          expect(follow(once.targets, good)).toEqual({ targets: once.targets, faults: [] })
        },
      ),
    )
  })

  it('does not modify its input', () => {
    fc.assert(
      fc.property(fc.array(edit), fc.array(edit), (first, second) => {
        const { targets } = follow([], first)
        const before = structuredClone(targets)
        follow(targets, second)
        expect(targets).toEqual(before)
      }),
    )
  })
})

it('expiredTargets includes a target from the millisecond of its expiry on', () => {
  const one = (expiresAt: number): ExpiringTarget => ({
    id: String(expiresAt),
    version: 1,
    place: 'in',
    contextKind: 'user',
    contextKey: 'a',
    expiresAt,
  })
  const moment = { hasCome: (at: number) => at <= now }
  expect(expiredTargets([one(999), one(1_000), one(1_001)], moment).map(({ id }) => id)).toEqual(['999', '1000'])
})
