import { describe, expect, it } from 'vitest'
import { evaluate } from './evaluate.ts'
import { orDefault } from './or-default.ts'
import { compileRuleset } from './ruleset.ts'
import { operatorCase, type PublishedCase } from './test/published/published-case.ts'
import { referenceBuckets } from './test/published/reference-buckets.ts'
import { referenceClauses } from './test/published/reference-clauses.ts'
import { referenceFlags } from './test/published/reference-flags.ts'
import { referenceOperators } from './test/published/reference-operators.ts'
import { referencePrerequisites } from './test/published/reference-prerequisites.ts'
import { referenceSegments } from './test/published/reference-segments.ts'
import { otherVersions, semanticVersions } from './test/published/semantic-versions.ts'
import { unleashSpecification } from './test/published/unleash-specification.ts'

const unleash = unleashSpecification()

/** Cases by their source; each case is one evaluation with its expected outcome. */
const sources: readonly (readonly [where: string, count: number, cases: readonly PublishedCase[]])[] = [
  ['operators of the reference SDKs', 509, referenceOperators],
  ['attributes and clauses of the reference SDKs', 46, referenceClauses],
  ['flags, targets, rules and rollouts of the reference SDKs', 130, referenceFlags],
  ['prerequisites of the reference SDKs', 13, referencePrerequisites],
  ['segments of the reference SDKs', 26, referenceSegments],
  ['buckets of the reference SDKs', 93, referenceBuckets],
  ['versions of node-semver and semver.org', 195, semanticVersions],
  ['the client specification of Unleash', 173, unleash.supported],
]

function outcomeOf({ flags, segments = [], flagKey, context, fallback }: PublishedCase) {
  return orDefault(evaluate(compileRuleset({ flags, segments }), flagKey, context), fallback)
}

describe('published cases', () => {
  it.each(sources)('have the published outcome (%s: %i cases)', (_, count, cases) => {
    for (const published of cases)
      expect({ name: published.name, ...outcomeOf(published) }).toMatchObject({
        name: published.name,
        ...published.expected,
      })
    expect(cases).toHaveLength(count)
  })

  it('are 1,185 in total', () => {
    expect(sources.reduce((sum, [, count]) => sum + count, 0)).toBe(1_185)
  })

  it.each(otherVersions)('the text %j is a valid version: %s, as in %s', (text, isValid) => {
    expect(outcomeOf(operatorCase('semVerEqual', text, text, isValid)).value).toBe(isValid)
  })

  it('of Unleash that Halyard cannot represent are omitted, each for a listed reason', () => {
    expect(unleash.unsupported).toEqual({
      'a prerequisite that is off is never met': 3,
      'a percentage uses another hash': 16,
      'a variant uses another hash': 58,
      'patterns are JavaScript patterns: no inline flags, no POSIX classes, but backreferences': 8,
      'flags use another protocol': 4,
      'no operator supports IP address ranges': 12,
      'no operator ignores letter case': 4,
      'prerequisites may have prerequisites': 1,
    })
  })
})
