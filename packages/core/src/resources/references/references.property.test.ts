import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ErrorBody } from '../../index.ts'
import { awaitTurns } from '../flags/test/flag-project.ts'
import { references } from './references.ts'
import { type DeletableTarget, deletableTarget } from './test/deletable-targets.ts'
import { type ReferenceAccount, referenceAccount } from './test/reference-account.ts'
import { nameOf, referrers } from './test/referrers.ts'

const rowByName = new Map(references.rows.map((row) => [nameOf(row), row]))
const names = [...referrers.keys()]
/**
 * Kinds of references whose commit requires that the target still exists. A concurrent deletion of the target therefore
 * leaves no reference.
 */
const heldNames = names.filter((name) => !rowByName.get(name)?.unchecked)
const collections = [...new Set(names.map((name) => rowByName.get(name)?.to.name ?? ''))]

async function dangling({ storedReferences }: ReferenceAccount): Promise<string[]> {
  return (await storedReferences())
    .filter(({ exists }) => !exists)
    .map(({ row, referrer, target }) => `${nameOf(row)}: ${referrer} names ${target}`)
}

/** Rejects only with an error that an operation declares. */
const orRefusal = (call: Promise<unknown>): Promise<unknown> =>
  call.catch((error: Partial<ErrorBody>) => {
    if (error.code === undefined || error.code === 'internal_error') throw error
  })

const detaching = fc.record({ detach: fc.boolean() })

describe('references and deletions that are made concurrently', () => {
  it('leave no reference to a deleted document, at any interleaving', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...heldNames), fc.nat(400), detaching, async (name, turns, query) => {
        const account = await referenceAccount()
        const target = await deletableTarget(account, rowByName.get(name)?.to.name ?? '')
        const making = orRefusal(referrers.get(name)?.(account, target) as Promise<unknown>)
        await awaitTurns(turns)
        await Promise.all([making, orRefusal(target.delete(query))])
        expect(await dangling(account)).toEqual([])
      }),
      { numRuns: 160 },
    )
  }, 60_000)
})

type Step =
  | { readonly do: 'create'; readonly collection: string }
  | { readonly do: 'refer'; readonly name: string }
  | { readonly do: 'delete'; readonly collection: string; readonly detach: boolean }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('create' as const), collection: fc.constantFrom(...collections) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('refer' as const), name: fc.constantFrom(...names) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('delete' as const),
      collection: fc.constantFrom(...collections),
      detach: fc.boolean(),
    }),
  },
)

/** References that exist only because the creation of their target adds them. */
const madeByCreation = new Set(['release-policy-ranking', 'project'])

/** Performs steps in one account. Steps that are refused change nothing. */
class Walk {
  readonly #account: ReferenceAccount
  readonly #targets = new Map<string, DeletableTarget>()

  constructor(account: ReferenceAccount) {
    this.#account = account
  }

  async take(taken: Step): Promise<void> {
    if (taken.do === 'create') return this.#create(taken.collection)
    if (taken.do === 'refer') {
      const target = this.#targets.get(rowByName.get(taken.name)?.to.name ?? '')
      if (target) await orRefusal(referrers.get(taken.name)?.(this.#account, target) as Promise<unknown>)
      return
    }
    const target = this.#targets.get(taken.collection)
    if (!target) return
    const isDeleted = await target.delete({ detach: taken.detach }).then(
      () => true,
      () => false,
    )
    if (isDeleted) this.#targets.delete(taken.collection)
  }

  async #create(collection: string): Promise<void> {
    if (this.#targets.has(collection)) return
    const target = await deletableTarget(this.#account, collection)
    this.#targets.set(collection, target)
    const revived = (await this.#account.storedReferences()).filter(
      (reference) =>
        reference.row.to.name === collection &&
        reference.target.endsWith(` ${target.text}`) &&
        !madeByCreation.has(reference.row.from.name),
    )
    expect(revived.map(({ row }) => nameOf(row))).toEqual([])
  }
}

describe('random creations, references and deletions', () => {
  it('leave no reference to a deleted resource, and no reference applies to a new resource with the same key', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }), async (steps) => {
        const account = await referenceAccount()
        const walk = new Walk(account)
        for (const taken of steps) {
          await walk.take(taken)
          expect(await dangling(account), JSON.stringify(taken)).toEqual([])
        }
      }),
      { numRuns: 60 },
    )
  }, 60_000)
})
