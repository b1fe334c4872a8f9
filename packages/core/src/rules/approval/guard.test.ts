import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { approvalRefusal } from './approval-steps.ts'
import { requiresApproval, stricterReviewRule } from './guard.ts'

describe('requiresApproval', () => {
  it.each<[boolean, string[], string[], boolean]>([
    [false, [], ['pay'], false],
    [false, ['pay'], ['pay'], false],
    [true, [], [], true],
    [true, [], ['pay'], true],
    [true, ['pay', 'core'], ['x', 'core'], true],
    [true, ['pay'], ['Pay', 'payment'], false],
    [true, ['pay'], [], false],
  ])(
    'with required %s and required tags %j returns for a resource with the tags %j: %s',
    (required, requiredApprovalTags, tags, expected) => {
      expect(requiresApproval({ required, requiredApprovalTags }, tags)).toBe(expected)
    },
  )
})

const rule = fc.record({
  minNumApprovals: fc.integer({ min: 1, max: 5 }),
  canReviewOwnRequest: fc.boolean(),
  canApplyDeclinedChanges: fc.boolean(),
})

const review = fc.record({
  kind: fc.constantFrom('approve' as const, 'decline' as const, 'comment' as const),
  reviewer: fc.constantFrom('a', 'b', 'c'),
})

const step = fc.oneof(
  fc.record({ do: fc.constant('review' as const), kind: review.map(({ kind }) => kind), reviewer: fc.constant('a') }),
  fc.record({ do: fc.constantFrom('edit' as const, 'apply' as const, 'delete' as const) }),
)

it('stricterReviews allows exactly what both rules allow', () => {
  fc.assert(
    fc.property(rule, rule, fc.array(review), step, (rule, otherRule, reviews, step) => {
      const request = { status: 'pending', requestor: 'a', reviews } as const
      const allows = (reviewRule: typeof rule) => approvalRefusal(request, step, reviewRule) === undefined
      expect(allows(stricterReviewRule(rule, otherRule))).toBe(allows(rule) && allows(otherRule))
    }),
  )
})
