import { createMemoryStorage } from '@halyard/storage-memory'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type ApiError, createEngine } from '../../index.ts'

const as = { role: 'owner' } as const
const projectKey = 'web'

/** Functions that make instructions for a flag in production, from a number below 3 and the id of a variation. */
const instructions = {
  name: (number: number) => ({ kind: 'updateName', value: `Checkout ${number}` }),
  target: (number: number, variationId: string) => ({ kind: 'addTargets', variationId, values: [`user-${number}`] }),
} as const

interface Change {
  readonly kind: keyof typeof instructions
  readonly number: number
}

/**
 * Opens two processes on one storage. The result is a function: it changes a new flag by the two processes alternately,
 * reverts one of the changes, and returns the flag, with the conflicts if there are any.
 *
 * @param late time by which the clock of the second process is late, ms.
 */
async function openProcesses(late: number) {
  let now = Date.UTC(2026, 0, 31, 12)
  const storage = createMemoryStorage()
  const open = (by: number) => createEngine({ storage, clock: () => now++ - by })
  const engines = [open(0), open(late)] as const
  const [{ api }] = engines
  await api.createProject({ body: { key: projectKey, name: 'Web' } }, { as })
  let count = 0
  return async (changes: readonly Change[], reverted: number): Promise<unknown> => {
    const keys = { projectKey, flagKey: `checkout-${count++}` }
    const { variations } = await api.createFlag({ projectKey, body: { key: keys.flagKey, name: 'Checkout' } }, { as })
    const variationId = variations[0]?._id ?? ''
    const spec = `proj/${projectKey}:env/*:flag/${keys.flagKey}`
    const entries = async () => (await api.listChangeLog({ spec, limit: 20 }, { as })).items.map(({ _id }) => _id)
    // This time is later than every clock, so that the first changes of a flag are newer than its creation.
    now += 2 * late
    const committed = await entries()
    const { length } = committed
    for (const [index, { kind, number }] of changes.entries()) {
      // Cast: the test names instructions of flags only.
      const body = { environmentKey: 'production', instructions: [instructions[kind](number, variationId) as never] }
      await engines[(index % 2) as 0 | 1].api.patchFlag({ ...keys, body }, { as })
      committed.push(...(await entries()).filter((id) => !committed.includes(id)))
    }
    const id = committed[length + (reverted % Math.max(1, committed.length - length))]
    const conflicts = id && (await api.revertChangeLogEntry({ id, body: {} }, { as }).then(undefined, conflictsOf))
    const { name, environments } = await api.getFlag(keys, { as })
    const { on, targets } = environments?.production ?? {}
    return { conflicts: conflicts && 'map' in conflicts ? conflicts : undefined, name, on, targets }
  }
}

function conflictsOf({ body }: ApiError) {
  return body.conflicts
}

it('a revert has the same result when the clocks of the processes differ', async () => {
  const [agreeing, differing] = [await openProcesses(0), await openProcesses(1_000)]
  const change = fc.record({
    kind: fc.constantFrom(...(Object.keys(instructions) as (keyof typeof instructions)[])),
    number: fc.nat(2),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 2, maxLength: 4 }), fc.nat(), async (changes, reverted) => {
      expect(await differing(changes, reverted)).toEqual(await agreeing(changes, reverted))
    }),
    { numRuns: 40 },
  )
})
