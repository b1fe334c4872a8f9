import type { FlagData } from '../../flag-data.ts'
import { type ExpectedOutcome, malformed, matched, type PublishedCase, ruledFlag, unmatched } from './published-case.ts'

/* Cases derived from launchdarkly/sdk-test-harness, data/data-files/server-side-eval: prerequisites. */

const needing = (...keys: readonly string[]) => ({ prerequisites: keys.map((key) => ({ key, variation: 0 })) })
const ruled = (key: string, attribute: string, overrides: Partial<FlagData> = {}) =>
  ruledFlag(key, [{ attribute, op: 'in', values: [true] }], overrides)
const circular = (key: string, needed: string) => ruledFlag(key, [], { rules: [], ...needing(needed) })

const flags: readonly FlagData[] = [
  ruled('first', 'first'),
  ruled('second', 'second'),
  ruled('third', 'third', needing('first', 'second')),
  { key: 'true but off', on: false, variations: [true, false], offVariation: 0 },
  ruled('upon first', 'flag', needing('first')),
  ruled('upon first, and what depends on it', 'flag', needing('first', 'upon first')),
  ruled('upon both', 'flag', needing('first', 'second')),
  ruled('upon third', 'flag', needing('third')),
  ruledFlag('upon nothing', [], { rules: [], ...needing('first', 'nothing') }),
  ruled('of three values', 'flag', {
    variations: ['off', 'fall', 'match'],
    offVariation: 0,
    fallthrough: { variation: 1 },
    ...needing('first'),
  }),
  ruled('upon off', 'flag', needing('true but off')),
  circular('circle 1', 'circle 2'),
  circular('circle 2', 'circle 3'),
  circular('circle 3', 'circle 1'),
  circular('deep circle 1', 'deep circle 2'),
  circular('deep circle 2', 'deep circle 3'),
  circular('deep circle 3', 'deep circle 2'),
]

const failed = (prerequisiteKey: string, value: unknown = false, variationIndex = 1): ExpectedOutcome => ({
  value,
  variationIndex,
  reason: { kind: 'PREREQUISITE_FAILED', prerequisiteKey },
})

const caseOf = (flagKey: string, attributes: object, expected: ExpectedOutcome): PublishedCase => ({
  name: `prerequisites: ${flagKey} for ${JSON.stringify(attributes)}`,
  flags,
  flagKey,
  context: { kind: 'user', key: 'user-key', ...attributes },
  fallback: false,
  expected,
})

/** The file has fourteen cases, of which two are equal except for their names. */
export const referencePrerequisites: readonly PublishedCase[] = [
  caseOf('upon first', { first: true, flag: true }, matched),
  caseOf('upon first', { first: true, flag: false }, unmatched),
  caseOf('upon first', { first: false, flag: true }, failed('first')),
  caseOf('upon both', { first: true, second: true, flag: true }, matched),
  caseOf('upon both', { first: true, second: false, flag: true }, failed('second')),
  caseOf('upon third', { first: true, second: true, third: true, flag: true }, matched),
  caseOf('upon third', { first: true, second: false, third: true, flag: true }, failed('third')),
  caseOf('upon nothing', { first: true, flag: true }, failed('nothing')),
  { ...caseOf('of three values', { first: false, flag: true }, failed('first', 'off', 0)), fallback: 'default' },
  caseOf('upon off', { flag: true }, failed('true but off')),
  caseOf('circle 1', {}, malformed(false)),
  caseOf('deep circle 1', {}, malformed(false)),
  caseOf('upon first, and what depends on it', { first: true, flag: true }, matched),
]
