import type { FlagData, SegmentData } from '../../flag-data.ts'
import type { EvaluationContext } from '../../subject.ts'
import { bucketValueOf } from '../verdicts.ts'
import type { PublishedCase } from './published-case.ts'

/*
 * Cases derived from launchdarkly/sdk-test-harness, sdktests/server_side_eval_bucketing.go. Each case has a key and the
 * attribute that assigns its bucket, and expects that a range of a ten-thousandth around the SHA-1 bucket value is
 * served. Two kinds of cases are omitted: secondary keys, which contexts no longer have, and experiments by an
 * attribute other than the key, because experiments now always use the key.
 */

interface BucketCase {
  readonly name: string
  /** Text that is hashed; undefined if the bucket value is 0. */
  readonly hashed: string | undefined
  readonly rollout: {
    readonly kind?: string
    readonly contextKind?: string
    readonly bucketBy?: string
    readonly seed?: number
  }
  readonly context: EvaluationContext
}

const [key, salt] = ['hashKey', 'saltyA']
const margin = 5

function casesOf({ name, hashed, rollout, context }: BucketCase): PublishedCase[] {
  const bucketValue = hashed === undefined ? 0 : Math.floor(bucketValueOf(hashed) * 100_000)
  const lowerBound = Math.max(bucketValue - margin, 0)
  const share = (variation: number) => ({
    ...rollout,
    variations: [
      { variation: 0, weight: lowerBound },
      { variation, weight: bucketValue + margin - lowerBound },
      { variation: 0, weight: 100_000 - bucketValue - margin },
    ],
  })
  const contextKind = rollout.contextKind ?? 'user'
  const always = { contextKind, attribute: 'key', op: 'in', values: [''], negate: true }
  const base: FlagData = { key, salt, on: true, variations: ['wrong', 'fallthrough', 'rule', 'segment'] }
  const experimentReason = rollout.kind === 'experiment' ? { inExperiment: true } : {}
  const segment: SegmentData = {
    key,
    salt,
    rules: [
      {
        clauses: [always],
        weight: bucketValue + margin,
        rolloutContextKind: contextKind,
        bucketBy: rollout.bucketBy ?? null,
      },
    ],
  }
  const segmentClause = { contextKind, attribute: '', op: 'segmentMatch', values: [key] }
  const caseOf = (part: Partial<FlagData>, variationIndex: number, reason: object): PublishedCase => ({
    name: `${name}, by ${base.variations?.[variationIndex]}`,
    flags: [{ ...base, ...part }],
    segments: [segment],
    flagKey: part.key ?? key,
    context,
    fallback: 'default',
    expected: { value: base.variations?.[variationIndex], variationIndex, reason: { ...reason } },
  })
  const byRule = { kind: 'RULE_MATCH', ruleIndex: 0, ruleId: 'rule' }
  return [
    caseOf({ fallthrough: { rollout: share(1) } }, 1, { kind: 'FALLTHROUGH', ...experimentReason }),
    caseOf({ rules: [{ id: 'rule', clauses: [always], rollout: share(2) }] }, 2, { ...byRule, ...experimentReason }),
    ...(rollout.kind === 'experiment'
      ? []
      : [
          caseOf(
            {
              key: `matchsegment-${key}`,
              fallthrough: { variation: 0 },
              rules: [{ id: 'rule', variation: 3, clauses: [segmentClause] }],
            },
            3,
            byRule,
          ),
        ]),
  ]
}

const keys = ['userKeyA', 'userKeyB', 'userKeyC']
const ofKey = (text: string, seed?: number) => (seed === undefined ? `${key}.${salt}.${text}` : `${seed}.${text}`)

/** Contexts bucketed by their key, of one kind and of several. */
const byKey = (
  [
    ['a user', {}, (text: string) => ({ kind: 'user', key: text })],
    ['an org', { contextKind: 'org' }, (text: string) => ({ kind: 'org', key: text })],
    [
      'an org of several kinds',
      { contextKind: 'org' },
      (text: string) => ({ kind: 'multi', wrongkind: { key: 'wrongkey' }, org: { key: text } }),
    ],
  ] as const
).flatMap(([name, of, context]) =>
  keys.flatMap((text): BucketCase[] => [
    { name: `${name} ${text}`, hashed: ofKey(text), rollout: of, context: context(text) },
    ...[undefined, 61].map((seed) => ({
      name: `${name} ${text} in an experiment${seed === undefined ? '' : ` with seed ${seed}`}`,
      hashed: ofKey(text, seed),
      rollout: { ...of, kind: 'experiment', ...(seed === undefined ? {} : { seed }) },
      context: context(text),
    })),
  ]),
)

const byAttribute = (attr1: unknown, hashed: string | undefined): BucketCase => ({
  name: `by an attribute that is ${JSON.stringify(attr1)}`,
  hashed: hashed === undefined ? undefined : ofKey(hashed),
  rollout: { bucketBy: 'attr1' },
  context: { kind: 'user', key: 'arbitrary-key', ...(attr1 === undefined ? {} : { attr1 }) },
})

export const referenceBuckets: readonly PublishedCase[] = [
  ...byKey,
  ...keys.map((text) => byAttribute(text, text)),
  ...[33_333, 99_999].map((number) => byAttribute(number, String(number))),
  ...[1.5, true, ['x'], { x: 'y' }, undefined].map((value) => byAttribute(value, undefined)),
].flatMap(casesOf)
