import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type ApprovalStatus,
  type ApprovalStep,
  approvalRefusal,
  approvalStatuses,
  isOpen,
  type RequestState,
} from './approval-steps.ts'
import type { ReviewRule } from './guard.ts'
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
function referenceModel(rules: ReviewRule, start: ApprovalStatus) {
  const takenSteps: ApprovalStep[] = []
  const hasTaken = (action: ApprovalStep['do']) => takenSteps.some((step) => step.do === action)
  const opinions = () =>
    people.map((person) => {
      const reviewKinds = takenSteps.flatMap((step) =>
        step.do === 'review' && step.reviewer === person ? [step.kind] : [],
      )
      return reviewKinds.filter((kind) => kind !== 'comment').at(-1)
    })
  const allows = (step: ApprovalStep): boolean => {
    if (start === 'completed' || hasTaken('apply')) return false
    if (step.do === 'delete') return true
    if (start === 'failed') return false
    if (step.do === 'edit') return true
    if (step.do === 'review') {
      return step.kind === 'comment' || step.reviewer !== 'ann' || rules.canReviewOwnRequest
    }
    const approvals = opinions().filter((step) => step === 'approve').length
    if (opinions().includes('decline') && !rules.canApplyDeclinedChanges) return false
    return approvals >= rules.minNumApprovals
  }
  const status = () => {
    if (opinions().includes('decline')) return 'declined'
    return opinions().filter((step) => step === 'approve').length >= rules.minNumApprovals ? 'approved' : 'pending'
  }
  return { taken: takenSteps, allows, status }
}

const next = (request: RequestState, step: ApprovalStep): RequestState => {
  if (step.do === 'apply') return { ...request, status: 'completed' }
  if (step.do !== 'review') return request
  const review: Review = { kind: step.kind, reviewer: step.reviewer }
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
          const model = referenceModel(rules, start)
          let request: RequestState = { status: start, requestor: 'ann', reviews: [] }
          for (const step of steps) {
            const refusal = approvalRefusal(request, step, rules)
            expect(refusal === undefined).toBe(model.allows(step))
            if (refusal !== undefined) continue
            request = next(request, step)
            model.taken.push(step)
            if (step.do === 'delete') break
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
      fc.property(fc.array(review, { maxLength: 20 }), (reviews) => {
        const retained = reviews.reduce<readonly Review[]>(withReview, [])
        const deciders = retained.filter(({ kind }) => kind !== 'comment').map(({ reviewer }) => reviewer)
        expect(new Set(deciders).size).toBe(deciders.length)
        const isComment = ({ kind }: Review) => kind === 'comment'
        expect(retained.filter(isComment)).toEqual(reviews.filter(isComment))
      }),
    )
  })

  it('is open until it is completed or has failed', () => {
    expect(approvalStatuses.filter((status) => isOpen({ status }))).toEqual(['pending', 'scheduled'])
  })

  const strict: ReviewRule = { minNumApprovals: 3, canReviewOwnRequest: false, canApplyDeclinedChanges: false }
  const reviewsOf = (...kinds: Review['kind'][]): Review[] =>
    kinds.map((kind, index) => ({ kind, reviewer: `r${index}` }))

  it.each<[string, Review[], ReviewRule, string | undefined]>([
    ['there is no review', [], strict, 'The approval request needs 3 more approvals'],
    [
      'one approval is missing',
      reviewsOf('approve', 'comment', 'approve'),
      strict,
      'The approval request needs 1 more approval',
    ],
    ['all reviewers approve', reviewsOf('approve', 'approve', 'approve'), strict, undefined],
    [
      'one reviewer declines',
      reviewsOf('approve', 'approve', 'approve', 'decline'),
      strict,
      'The approval request is declined, and declined changes cannot be applied in this environment',
    ],
    [
      'one reviewer declines and declined changes may be applied',
      reviewsOf('approve', 'approve', 'approve', 'decline'),
      { ...strict, canApplyDeclinedChanges: true },
      undefined,
    ],
    [
      'one decision is an approval and one a decline',
      reviewsOf('approve', 'decline'),
      { ...strict, minNumApprovals: 2, canApplyDeclinedChanges: true },
      'The approval request needs 1 more approval',
    ],
    [
      'all reviewers decline',
      reviewsOf('decline', 'decline'),
      { ...strict, minNumApprovals: 1, canApplyDeclinedChanges: true },
      'The approval request needs 1 more approval',
    ],
  ])('is applied, or returns the reason why not, when %s', (_, reviews, rules, refusal) => {
    expect(approvalRefusal({ status: 'pending', requestor: 'ann', reviews }, { do: 'apply' }, rules)).toBe(refusal)
  })
})
