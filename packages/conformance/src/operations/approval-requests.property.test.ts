import { ApiError } from '@halyard/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Example } from './example.ts'
import { createRandom } from './mutated-requests.ts'
import { requestOf, withHeaders } from './operation-fixture.ts'
import { attack, readIds, type Target, targetsOf } from './test/attack.ts'
import { openGuardedAccount } from './test/guarded-account.ts'
import { createGuardedProject } from './test/guarded-project.ts'
import { requestableChange } from './test/requestable-change.ts'
import { resourceState } from './test/resource-state.ts'

const runs = process.env.HALYARD_LONG_TESTS ? 20 : 1

/**
 * Number of calls of a target in a run. The operations of AI configs have few kinds of instructions, or do not take
 * instructions. A run omits half of the other operations.
 */
function callsOf({ operation }: Target, pick: <T>(values: readonly T[]) => T): number {
  return operation.id.startsWith('patchAIConfig') ? 8 : pick([0, 1])
}

const reviewers = ['bob', 'eve']

/**
 * Returns true for a change of a flag that two environments have to approve. A request gets the approval of one of them
 * only, so such a change needs the right to bypass approval.
 */
function concernsTwoEnvironments({ operation }: Target, { body }: Example, error: unknown): boolean {
  if (operation.id !== 'patchFlag' || !(error instanceof ApiError)) return false
  const { environmentKey } = body as { readonly environmentKey: string }
  const other = environmentKey === 'test' ? 'production' : 'test'
  const reason = `The environment ${other} requires approval of this change: create an approval request`
  return JSON.stringify(error.errors) === JSON.stringify([{ attribute: 'instructions', reason }])
}

describe('a change that is refused without approval', () => {
  it('can be requested, approved and applied, with the effect of the same call by an administrator', async () => {
    const account = await openGuardedAccount()
    const { engine, client, tokens } = account
    const project = await createGuardedProject(engine)
    await account.guard()
    const ids = await readIds(engine, project)
    const saved = account.save()
    const token = tokens['every right except to bypass approvals']
    const requested = new Set<string>()
    const state = () => resourceState(engine, project)

    const statusOf = async ({ operation }: Target, example: Example) =>
      (await client.send(withHeaders(requestOf(operation, example), { authorization: token }))).status

    async function stateAfterBypass({ operation }: Target, example: Example) {
      const query = { ...example.query, bypassRequiredApproval: 'true' }
      const { status, body } = await client.send(requestOf(operation, { ...example, query }))
      expect(status, body).toBeLessThan(300)
      return state()
    }

    async function stateAfterRequest(body: object) {
      const { _id: id } = await engine.api.createApprovalRequest({ body: body as never }, { as: token })
      for (const memberId of reviewers) {
        const as = { role: 'admin', memberId } as const
        await engine.api.reviewApprovalRequest({ id, body: { kind: 'approve' } }, { as })
      }
      await engine.api.applyApprovalRequest({ id, body: {} }, { as: token })
      return state()
    }

    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const random = createRandom(String(seed))
        const pick = <T>(values: readonly T[]) => values[random(values.length)] as T
        const targets = targetsOf(engine.operations).flatMap((target) =>
          Array<Target>(callsOf(target, pick)).fill(target),
        )
        for (const target of targets) {
          account.restore(saved)
          const example = { ...attack(target, { project, ids }, account.now(), pick), query: {} }
          if ((await statusOf(target, example)) !== 405) continue
          const change = requestableChange(target, example)
          if (typeof change === 'string') continue
          account.restore(saved)
          const expected = await stateAfterBypass(target, example)
          account.restore(saved)
          const label = `${target.operation.id} ${JSON.stringify(example)}`
          const actual = await stateAfterRequest(change).catch((error) => error)
          if (concernsTwoEnvironments(target, example, actual)) continue
          expect(actual, label).toEqual(expected)
          requested.add(`${target.operation.id} ${target.kind ?? ''}`.trim())
        }
      }),
      { numRuns: runs, endOnFailure: true },
    )
    const operations = new Set([...requested].map((name) => name.split(' ')[0]))
    expect([...operations].sort()).toEqual([
      'patchAIConfig',
      'patchAIConfigTargeting',
      'patchAIConfigVariation',
      'patchFlag',
      'patchSegment',
    ])
  }, 120_000)
})
