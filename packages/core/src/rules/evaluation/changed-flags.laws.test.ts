import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changedFlags } from './changed-flags.ts'
import { evaluate } from './evaluate.ts'
import { compileRuleset, removeFlag, removeSegment, replaceFlag, replaceSegment } from './ruleset.ts'
import { randomEnvironment } from './test/random-environment.ts'

describe('changedFlags', () => {
  it('returns every flag whose outcome differs for any context', () => {
    let changedCount = 0
    let unchangedCount = 0
    fc.assert(
      fc.property(randomEnvironment, randomEnvironment, fc.nat(3), fc.nat(2), (first, second, flag, segment) => {
        const before = compileRuleset(first)
        const changes = [
          replaceFlag(before, second.flags[flag] as never),
          replaceSegment(before, second.segments[segment] as never),
          removeFlag(before, (first.flags[flag] as { key: string }).key),
          removeSegment(before, (first.segments[segment] as { key: string }).key),
          compileRuleset(second),
        ]
        for (const after of changes) {
          const changed = changedFlags(before, after)
          const keys = new Set([...first.flags, ...second.flags].map(({ key }) => key))
          for (const context of first.contexts) {
            for (const key of keys) {
              if (changed.includes(key)) changedCount++
              else {
                unchangedCount++
                expect(evaluate(after, key, context)).toEqual(evaluate(before, key, context))
              }
            }
          }
        }
      }),
      { numRuns: 30 },
    )
    // Both counts must be large, or nothing would have been compared.
    expect(Math.min(changedCount, unchangedCount)).toBeGreaterThan(200)
  })

  it('returns an empty list when the same data is read again', () => {
    fc.assert(
      fc.property(randomEnvironment, (environment) => {
        expect(changedFlags(compileRuleset(environment), compileRuleset(structuredClone(environment)))).toEqual([])
      }),
      { numRuns: 30 },
    )
  })

  it('returns flags that depend on the change indirectly, and no others', () => {
    const match = (segment: string) => [{ clauses: [{ op: 'segmentMatch', values: [segment] }], variation: 0 }]
    const flag = (key: string, overrides: object = {}) => ({ key, on: true, variations: [1], ...overrides })
    const before = compileRuleset({
      flags: [
        flag('by-segment', { rules: match('outer') }),
        flag('by-prerequisite', { prerequisites: [{ key: 'by-segment', variation: 0 }] }),
        flag('aloof', { rules: match('other') }),
      ],
      segments: [{ key: 'inner' }, { key: 'outer', rules: match('inner') }, { key: 'other' }],
    })
    expect(changedFlags(before, replaceSegment(before, { key: 'inner', included: ['ann'] }))).toEqual([
      'by-prerequisite',
      'by-segment',
    ])
    expect(changedFlags(before, replaceFlag(before, flag('aloof')))).toEqual(['aloof'])
    const laterVersion = flag('aloof', { rules: match('other'), version: 2 })
    expect(changedFlags(before, replaceFlag(before, laterVersion))).toEqual([])
  })
})
