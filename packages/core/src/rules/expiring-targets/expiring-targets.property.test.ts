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
  .map((record) => record as ExpiryEdit)

function applyEdits(before: readonly ExpiringTarget[], edits: readonly ExpiryEdit[]) {
  let ids = before.length
  return editExpiringTargets(before, edits, { isTarget, now, newId: () => `id-${++ids}` })
}

/** A second implementation: it applies one edit at a time to a plain list. */
function applyWithModel(edits: readonly ExpiryEdit[]) {
  let list: ExpiringTarget[] = []
  const failedIndexes: number[] = []
  let ids = 0
  edits.forEach((edit, index) => {
    const isSameTarget = (other: ExpiringTarget) =>
      other.place === edit.place && other.contextKind === edit.contextKind && other.contextKey === edit.contextKey
    const existing = list.find(isSameTarget)
    const stale = existing !== undefined && edit.version !== undefined && edit.version !== existing.version
    if (edit.do === 'remove') {
      if (stale) failedIndexes.push(index)
      else list = list.filter((other) => !isSameTarget(other))
      return
    }
    const { place, contextKind, contextKey, expiresAt } = edit
    const isValid =
      !stale &&
      place === 'in' &&
      contextKey !== '4' &&
      expiresAt > now &&
      (edit.do === 'add' ? !existing || existing.expiresAt === expiresAt : existing !== undefined)
    if (!isValid) failedIndexes.push(index)
    else if (!existing) list.push({ id: `id-${++ids}`, version: 1, place, contextKind, contextKey, expiresAt })
    else if (existing.expiresAt !== expiresAt) {
      list = list.map((other) => (isSameTarget(other) ? { ...other, version: other.version + 1, expiresAt } : other))
    }
  })
  return { list, faulty: failedIndexes }
}

describe('editExpiringTargets', () => {
  it('returns the same targets and failed edits as a second implementation', () => {
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 25 }), (edits) => {
        const { targets, errors } = applyEdits([], edits)
        const { list, faulty: failedIndexes } = applyWithModel(edits)
        expect(targets).toEqual(list)
        expect(errors.map(({ index }) => index)).toEqual(failedIndexes)
      }),
    )
  })

  it('changes nothing when the same edits are applied again', () => {
    const unversionedEdit = edit.map((target): ExpiryEdit => ({ ...target, version: undefined }))
    fc.assert(
      fc.property(
        fc.uniqueArray(unversionedEdit, {
          selector: ({ place, contextKind, contextKey }) => place + contextKind + contextKey,
        }),
        (edits) => {
          const first = applyEdits([], edits)
          const validEdits = edits.filter((_, editIndex) => !first.errors.some(({ index }) => index === editIndex))
          expect(applyEdits(first.targets, validEdits)).toEqual({ targets: first.targets, errors: [] })
        },
      ),
    )
  })

  it('does not modify its input', () => {
    fc.assert(
      fc.property(fc.array(edit), fc.array(edit), (first, second) => {
        const { targets } = applyEdits([], first)
        const before = structuredClone(targets)
        applyEdits(targets, second)
        expect(targets).toEqual(before)
      }),
    )
  })
})

it('expiredTargets includes a target from the millisecond of its expiry on', () => {
  const target = (expiresAt: number): ExpiringTarget => ({
    id: String(expiresAt),
    version: 1,
    place: 'in',
    contextKind: 'user',
    contextKey: 'a',
    expiresAt,
  })
  const clock = { hasCome: (index: number) => index <= now }
  expect(expiredTargets([target(999), target(1_000), target(1_001)], clock).map(({ id }) => id)).toEqual([
    '999',
    '1000',
  ])
})
