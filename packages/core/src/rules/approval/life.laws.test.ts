import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ReviewRule } from './guard.ts'
import {
  type ApprovalStatus,
  type ApprovalStep,
  approvalRefusal,
  approvalStatuses,
  isOpen,
  type RequestState,
} from './life.ts'
import { type Review, reviewStatusOf, withReview } from './reviews.ts'

const people = ['ann', 'bob', 'cleo', 'dan'] as const

const step: fc.Arbitrary<ApprovalStep> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('review' as const),
      kind: fc.constantFrom('approve' as const, 'decline' as const, 'comment' as const),
      reviewer: fc.constantFrom(...people),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('apply' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('edit' as const, 'delete' as const) }) },
)

const rule: fc.Arbitrary<ReviewRule> = fc.record({
  minNumApprovals: fc.integer({ min: 1, max: 5 }),
  canReviewOwnRequest: fc.boolean(),
  canApplyDeclinedChanges: fc.boolean(),
})

/** A second implementation of the rules: it records every step and evaluates the whole history for each new one. */
function naiveLife(rules: ReviewRule, start: ApprovalStatus) {
  const taken: ApprovalStep[] = []
  const happened = (what: ApprovalStep['do']) => taken.some((one) => one.do === what)
  const opinions = () =>
    people.map((person) => {
      const said = taken.flatMap((one) => (one.do === 'review' && one.reviewer === person ? [one.kind] : []))
      return said.filter((kind) => kind !== 'comment').at(-1)
    })
  const allows = (wanted: ApprovalStep): boolean => {
    if (start === 'completed' || happened('apply')) return false
    if (wanted.do === 'delete') return true
    if (start === 'failed') return false
    if (wanted.do === 'edit') return true
    if (wanted.do === 'review') {
      return wanted.kind === 'comment' || wanted.reviewer !== 'ann' || rules.canReviewOwnRequest
    }
    const approvals = opinions().filter((one) => one === 'approve').length
    if (opinions().includes('decline') && !rules.canApplyDeclinedChanges) return false
    return approvals >= rules.minNumApprovals
  }
  const status = () => {
    if (opinions().includes('decline')) return 'declined'
    return opinions().filter((one) => one === 'approve').length >= rules.minNumApprovals ? 'approved' : 'pending'
  }
  return { taken, allows, status }
}

const next = (request: RequestState, taken: ApprovalStep): RequestState => {
  if (taken.do === 'apply') return { ...request, status: 'completed' }
  if (taken.do !== 'review') return request
  const review: Review = { kind: taken.kind, reviewer: taken.reviewer }
  return { ...request, reviews: withReview(request.reviews, review) }
}

describe('an approval request', () => {
  it('allows exactly the steps that its whole history allows', () => {
    fc.assert(
      fc.property(
        rule,
        fc.constantFrom(...approvalStatuses),
        fc.array(step, { maxLength: 12 }),
        (rules, start, steps) => {
          const model = naiveLife(rules, start)
          let request: RequestState = { status: start, requestor: 'ann', reviews: [] }
          for (const wanted of steps) {
            const refusal = approvalRefusal(request, wanted, rules)
            expect(refusal === undefined).toBe(model.allows(wanted))
            if (refusal !== undefined) continue
            request = next(request, wanted)
            model.taken.push(wanted)
            if (wanted.do === 'delete') break
            expect(reviewStatusOf(request.reviews, rules)).toBe(model.status())
          }
        },
      ),
    )
  })

  it('retains at most one decision of each person, and every comment', () => {
    const review = fc.record({
      kind: fc.constantFrom('approve' as const, 'decline' as const, 'comment' as const),
      reviewer: fc.constantFrom(...people),
    })
    fc.assert(
      fc.property(fc.array(review, { maxLength: 20 }), (given) => {
        const kept = given.reduce<readonly Review[]>(withReview, [])
        const deciders = kept.filter(({ kind }) => kind !== 'comment').map(({ reviewer }) => reviewer)
        expect(new Set(deciders).size).toBe(deciders.length)
        const isComment = ({ kind }: Review) => kind === 'comment'
        expect(kept.filter(isComment)).toEqual(given.filter(isComment))
      }),
    )
  })

  it('is open until it is completed or has failed', () => {
    expect(approvalStatuses.filter((status) => isOpen({ status }))).toEqual(['pending', 'scheduled'])
  })

  const strict: ReviewRule = { minNumApprovals: 3, canReviewOwnRequest: false, canApplyDeclinedChanges: false }
  const by = (...kinds: Review['kind'][]): Review[] => kinds.map((kind, at) => ({ kind, reviewer: `r${at}` }))

  it.each<[string, Review[], ReviewRule, string | undefined]>([
    ['there is no review', [], strict, 'The approval request needs 3 more approvals'],
    [
      'one approval is missing',
      by('approve', 'comment', 'approve'),
      strict,
      'The approval request needs 1 more approval',
    ],
    ['all reviewers approve', by('approve', 'approve', 'approve'), strict, undefined],
    [
      'one reviewer declines',
      by('approve', 'approve', 'approve', 'decline'),
      strict,
      'The approval request is declined, and declined changes cannot be applied in this environment',
    ],
    [
      'one reviewer declines and declined changes may be applied',
      by('approve', 'approve', 'approve', 'decline'),
      { ...strict, canApplyDeclinedChanges: true },
      undefined,
    ],
    [
      'one decision is an approval and one a decline',
      by('approve', 'decline'),
      { ...strict, minNumApprovals: 2, canApplyDeclinedChanges: true },
      'The approval request needs 1 more approval',
    ],
    [
      'all reviewers decline',
      by('decline', 'decline'),
      { ...strict, minNumApprovals: 1, canApplyDeclinedChanges: true },
      'The approval request needs 1 more approval',
    ],
  ])('is applied, or returns the reason why not, when %s', (_, reviews, rules, refusal) => {
    expect(approvalRefusal({ status: 'pending', requestor: 'ann', reviews }, { do: 'apply' }, rules)).toBe(refusal)
  })
})
