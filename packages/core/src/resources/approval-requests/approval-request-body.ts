import * as v from 'valibot'
import { key, list, moment, storedOnly, text } from '../../operation/schema.ts'
import { reviewKinds } from '../../rules/approval/reviews.ts'

const maxInstructions = 1_000

/** Maximum number of reviewers of a request, members and teams together. */
const maxReviewers = 10

const description = () =>
  v.pipe(
    v.string(),
    v.maxLength(5_000, 'must have at most 5000 characters'),
    v.check((value) => value.trim() !== '', 'must not be blank'),
  )

const distinct = <S extends v.GenericSchema<string>>(item: S, itemName: string) =>
  v.pipe(
    list(item),
    v.check((items) => new Set(items).size === items.length, `must not repeat a ${itemName}`),
  )

const reviewers = {
  notifyMemberIds: v.optional(distinct(v.string(), 'member'), []),
  notifyTeamKeys: v.optional(storedOnly(distinct(key(), 'team')), []),
}

/** Returns why a request has too many reviewers; undefined when the number of reviewers is allowed. */
export function reviewerCountError(request: {
  readonly notifyMemberIds: readonly string[]
  readonly notifyTeamKeys: readonly string[]
}): string | undefined {
  const count = request.notifyMemberIds.length + request.notifyTeamKeys.length
  return count > maxReviewers ? `must name at most ${maxReviewers} reviewers, members and teams together` : undefined
}

/** Body of a request for approval of a change of a resource that the path names. */
export const requestBody = v.strictObject({
  description: description(),
  // The valid instructions depend on the kind of the resource.
  instructions: v.pipe(
    list(v.looseObject({ kind: v.string() })),
    v.minLength(1, 'must contain at least 1 instruction'),
    v.maxLength(maxInstructions, `must contain at most ${maxInstructions} instructions`),
  ),
  comment: v.optional(text()),
  ...reviewers,
  executionDate: v.optional(moment()),
})

export type RequestBody = v.InferOutput<typeof requestBody>

export const commentBody = v.strictObject({ comment: v.optional(text()) })

export const reviewBody = v.pipe(
  v.strictObject({
    kind: v.picklist(reviewKinds, `must be one of ${reviewKinds.join(', ')}`),
    comment: v.optional(text()),
  }),
  v.forward(
    v.check(
      ({ kind, comment }) => kind !== 'comment' || (comment ?? '').trim() !== '',
      'must be present when the kind is comment',
    ),
    ['comment'],
  ),
)

export type ReviewBody = v.InferOutput<typeof reviewBody>

/**
 * Schema of an instruction of a semantic patch of a request
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d12-semantic-patch, reference API: patchApprovalRequest).
 */
export const requestInstruction = v.variant('kind', [
  v.pipe(
    v.strictObject({ kind: v.literal('addReviewers'), ...reviewers }),
    v.check(
      ({ notifyMemberIds, notifyTeamKeys }) => notifyMemberIds.length + notifyTeamKeys.length > 0,
      'must name at least 1 member or team',
    ),
  ),
  v.strictObject({ kind: v.literal('updateDescription'), value: description() }),
])

export type RequestInstruction = v.InferOutput<typeof requestInstruction>
