import { describe, expect, it } from 'vitest'
import { bucketHasher } from './bucket-hash.ts'
import { evaluate } from './evaluate.ts'
import type { FlagData, RolloutData } from './flag-data.ts'
import { compileRuleset } from './ruleset.ts'
import { bucketValueOf, malformed } from './test/verdicts.ts'

const user = { kind: 'user', key: 'user-key' }

describe('rollouts', () => {
  const serving = (rollout: RolloutData, overrides: Partial<FlagData> = {}) =>
    compileRuleset({
      flags: [
        {
          key: 'hashKey',
          salt: 'saltyA',
          on: true,
          variations: [0, 1, 2],
          rules: [],
          fallthrough: { rollout },
          ...overrides,
        },
      ],
    })
  const texts = ['userKeyA', 'userKeyB', 'userKeyC', 'ü', 'x'.repeat(400)]
  const cases = [undefined, 61].flatMap((seed) =>
    ['rollout', 'experiment'].flatMap((kind) => texts.map((text) => [kind, seed, text] as const)),
  )
  it.each(cases)('assign the bucket of a %s with seed %j that SHA-1 determines for %s', (kind, seed, key) => {
    const hashed = seed === undefined ? `hashKey.saltyA.${key}` : `${seed}.${key}`
    const bucketValue = bucketValueOf(hashed)
    const before = Math.floor(bucketValue * 100_000)
    const weights = [before, 1, 100_000 - before - 1]
    const variations = weights.map((weight, variation) => ({ variation, weight }))
    const outcome = evaluate(serving({ kind, seed, contextKind: 'user', variations }), 'hashKey', { kind: 'user', key })
    expect(outcome.variationIndex).toBe(1)
    expect(outcome.reason).toEqual(
      kind === 'experiment' ? { kind: 'FALLTHROUGH', inExperiment: true } : { kind: 'FALLTHROUGH' },
    )
  })

  const halves = (overrides: Partial<RolloutData>): RolloutData => ({
    contextKind: 'user',
    variations: [
      { variation: 0, weight: 0 },
      { variation: 1, weight: 1 },
      { variation: 2, weight: 99_999 },
    ],
    ...overrides,
  })

  it.each([1.5, true, ['x'], { x: 'y' }, null, undefined])(
    'assign bucket 0 to a context whose attribute is %j',
    (attr) => {
      const ruleset = serving(halves({ bucketBy: 'attr' }))
      expect(evaluate(ruleset, 'hashKey', { kind: 'user', key: 'k', attr }).variationIndex).toBe(1)
    },
  )

  it.each([33_333, 99_999, -7])('hash the decimal digits of the number %d', (attr) => {
    const byNumber = evaluate(serving(halves({ bucketBy: 'attr' })), 'hashKey', { kind: 'user', key: 'k', attr })
    const byText = evaluate(serving(halves({ bucketBy: 'attr' })), 'hashKey', {
      kind: 'user',
      key: 'k',
      attr: `${attr}`,
    })
    expect(byNumber).toEqual(byText)
  })

  it('assign bucket 0, outside the experiment, to a subject without a context of the kind', () => {
    const outcome = evaluate(serving(halves({ kind: 'experiment', contextKind: 'org' })), 'hashKey', user)
    expect(outcome).toEqual({ value: 1, variationIndex: 1, reason: { kind: 'FALLTHROUGH' } })
  })

  it('of an experiment hash the key, regardless of bucketBy', () => {
    const context = { kind: 'user', key: 'userKeyA', attr: 'x' }
    const plain = evaluate(serving(halves({ kind: 'experiment' })), 'hashKey', context)
    expect(evaluate(serving(halves({ kind: 'experiment', bucketBy: 'attr' })), 'hashKey', context)).toEqual(plain)
  })

  it('do not count untracked variations in an experiment', () => {
    const variations = [{ variation: 2, weight: 100_000, untracked: true }]
    expect(evaluate(serving({ kind: 'experiment', variations }), 'hashKey', user).reason).toEqual({
      kind: 'FALLTHROUGH',
    })
  })

  it('serve the last variation when the weights do not add up to 100 %', () => {
    const variations = [
      { variation: 0, weight: 1 },
      { variation: 2, weight: 1 },
    ]
    expect(evaluate(serving({ variations }), 'hashKey', user).variationIndex).toBe(2)
  })

  it('make the flag malformed when bucketBy is not a valid reference', () => {
    expect(evaluate(serving(halves({ bucketBy: '/a//b' })), 'hashKey', user)).toEqual(malformed)
  })
})

describe('bucketHasher', () => {
  it('returns the SHA-1 of the platform for texts of all lengths and alphabets, at every split of prefix and rest', () => {
    for (let length = 0; length < 150; length++) {
      for (const text of ['x'.repeat(length), `ü${'y'.repeat(length)}`, `${'z'.repeat(length)}é`]) {
        for (const boundary of [0, 1, 7, Math.floor(text.length / 2), text.length]) {
          expect(bucketHasher(text.slice(0, boundary))(text.slice(boundary))).toBe(bucketValueOf(text))
        }
      }
    }
  })

  it('returns the same value on repeated calls, also after longer texts', () => {
    const hash = bucketHasher('flag.salt.')
    for (const key of ['ann', 'x'.repeat(100), 'ü', 'ann', '', 'x'.repeat(45), 'x'.repeat(46), 'ann']) {
      expect(hash(key)).toBe(bucketValueOf(`flag.salt.${key}`))
    }
  })
})
