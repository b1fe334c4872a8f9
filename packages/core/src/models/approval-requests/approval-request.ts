import type { Resource } from '../../rules/address.ts'
import type { ApprovalStatus } from '../../rules/approval/life.ts'
import { countReviews, type Review } from '../../rules/approval/reviews.ts'
import { type Documents, documents, type Keys, queue, type Versioned } from '../../storage/collection.ts'
import type { Mandate } from '../tokens/mandate.ts'

/** The kinds of things whose changes can be requested. */
export const approvableKinds = ['flag', 'segment'] as const

export type ApprovableKind = (typeof approvableKinds)[number]

/** A change of one thing in one environment that somebody wants, and what others said about it (D31). */
export interface ApprovalRequest extends Versioned {
  readonly id: string
  readonly place: ApprovalPlace
  readonly description: string
  /** As the schema of the kind's instructions reads them; they never change. */
  readonly instructions: readonly { readonly kind: string }[]
  /** What the instructions change and bring into play, as it was when they were written: a fingerprint of each part. */
  readonly basis: Readonly<Record<string, string>>
  /** Names the person who made it. */
  readonly requestor: string
  /** Id of the member, or of the service token, that made it. */
  readonly requestorId: string
  readonly notifyMemberIds: readonly string[]
  readonly notifyTeamKeys: readonly string[]
  readonly reviews: readonly StoredReview[]
  readonly status: ApprovalStatus
  /** When it is meant to be applied, integer ms. */
  readonly executionDate?: number
  /** The rights with which it is applied then: what is left of those of whoever made it. */
  readonly mandate?: Mandate
  /** Why it could not be applied at its time. */
  readonly failure?: string
  readonly applied?: Applied
  readonly createdAt: number
}

export interface StoredReview extends Review {
  readonly id: string
  readonly comment?: string
  readonly memberId?: string
  readonly serviceTokenId?: string
  /** Integer ms. */
  readonly createdAt: number
}

/** Who applied a request, and when (integer ms). */
export interface Applied {
  readonly at: number
  readonly memberId?: string
  readonly serviceTokenId?: string
}

/** What a request is about. */
export interface ApprovalPlace {
  readonly kind: ApprovableKind
  readonly projectKey: string
  readonly environmentKey: string
  /** Key of the flag or segment. */
  readonly resourceKey: string
}

export type RequestKeys = Keys<RequestAddress>

type RequestAddress = 'proj/{projectKey}:env/{environmentKey}:flag/{resourceKey}:approval-request/{id}'

const name = 'approval-request'

function requestsAbout(kind: ApprovableKind): Documents<ApprovalRequest, RequestAddress> {
  return documents<ApprovalRequest>()({
    name,
    // The parameters are the same for every kind. Requests live under what they are about, and vanish with it.
    address: `proj/{projectKey}:env/{environmentKey}:${kind}/{resourceKey}:approval-request/{id}` as RequestAddress,
    fields: ({ requestorId, place, notifyMemberIds, status, reviews, createdAt }) => ({
      requestorId,
      resourceKind: place.kind,
      resourceKey: place.resourceKey,
      projectKey: place.projectKey,
      environment: environmentOf(place),
      notifyMemberIds,
      status,
      approvals: countReviews(reviews, 'approve'),
      declines: countReviews(reviews, 'decline'),
      createdAt,
    }),
    resource: ({ place }) => resourceOf(place),
    changes: {
      id: null,
      place: null,
      description: 'updateApprovalRequest',
      instructions: null,
      basis: null,
      requestor: null,
      requestorId: null,
      notifyMemberIds: 'updateApprovalRequest',
      notifyTeamKeys: 'updateApprovalRequest',
      reviews: 'reviewApprovalRequest',
      status: 'applyApprovalRequest',
      executionDate: null,
      mandate: null,
      failure: null,
      applied: null,
      createdAt: null,
    },
  })
}

/** Requests by the kind of what they are about. */
export const approvalRequests = { flag: requestsAbout('flag'), segment: requestsAbout('segment') } as const

/** Requests that are to be applied at a time; those about one thing are applied one after the other. */
export const dueRequestTasks = {
  flag: dueRequestsAbout('flag'),
  segment: dueRequestsAbout('segment'),
} as const

function dueRequestsAbout(kind: ApprovableKind) {
  const address = `proj/{projectKey}:env/{environmentKey}:${kind}/{resourceKey}` as const
  return queue({ name: 'due-approval-requests', address: address as `${typeof address}` })
}

/** What their tasks say; the id of a task is that of its request. */
export type DueRequestTask = Pick<ApprovalRequest, 'place'>

/** All requests of the account, or of a project: for lists, which look at everything under these addresses. */
export const requestsOfAccount = documents<ApprovalRequest>()({ name, address: 'approval-request/{id}' })
export const requestsOfProject = documents<ApprovalRequest>()({
  name,
  address: 'proj/{projectKey}:approval-request/{id}',
})

/** Where a request is, as it is asked for by its id alone; it outlives what vanishes with its flag or project. */
export interface StoredPlace extends Versioned, ApprovalPlace {}

export const approvalPlaces = documents<StoredPlace>()({
  name: 'approval-request-place',
  address: 'approval-request/{id}',
})

/** What policies are asked about: the flag or segment in its environment. */
export function resourceOf({ kind, projectKey, environmentKey, resourceKey }: ApprovalPlace): Resource {
  return [
    { kind: 'proj', key: projectKey },
    { kind: 'env', key: environmentKey },
    { kind, key: resourceKey },
  ]
}

/** One text for each environment, for narrow rows. */
export function environmentOf({
  projectKey,
  environmentKey,
}: Pick<ApprovalPlace, 'projectKey' | 'environmentKey'>): string {
  return `proj/${projectKey}:env/${environmentKey}`
}
