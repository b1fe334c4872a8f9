import type { Resource } from '../../rules/address.ts'
import { addressOf } from '../../rules/address.ts'
import type { ApprovalStatus } from '../../rules/approval/approval-steps.ts'
import { countReviews, type Review } from '../../rules/approval/reviews.ts'
import { type Subject, shortName } from '../../rules/sentences/sentence.ts'
import { type Documents, documents, type Keys, queue, shownTime, type Versioned } from '../../storage/collection.ts'
import type { Mandate } from '../tokens/mandate.ts'

/** Kinds of resources whose changes can be requested. */
export const approvableKinds = ['flag', 'segment', 'aiconfig'] as const

export type ApprovableKind = (typeof approvableKinds)[number]

/** Kinds of resources to which requests refer; `proj` is for a list of changes in a project. */
export type RequestKind = ApprovableKind | 'proj'

/**
 * A request for a change of one resource in one environment, of the contents of an AI config in all environments, or
 * for a list of changes in a project, with its reviews
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d31-approvals).
 */
export interface ApprovalRequest extends Versioned {
  readonly id: string
  readonly place: ResourceRef
  readonly description: string
  /** The instructions as the schema of the kind parsed them. They never change. */
  readonly instructions: readonly { readonly kind: string }[]
  /**
   * State of everything that the instructions change or refer to, at the time of the request: a fingerprint of each
   * part.
   */
  readonly basis: Readonly<Record<string, string>>
  /** Identifies the person who made the request. */
  readonly requestor: string
  /** Id of the member or service token that made the request. */
  readonly requestorId: string
  readonly notifyMemberIds: readonly string[]
  readonly notifyTeamKeys: readonly string[]
  readonly reviews: readonly StoredReview[]
  readonly status: ApprovalStatus
  /** Time at which the request is to be applied, integer ms. */
  readonly executionDate?: number
  /**
   * Rights with which the engine applies the request: the rights of its author that remain at that time. Absent in
   * older requests without a time.
   */
  readonly mandate?: Mandate
  /** Reason why the engine could not apply the request. */
  readonly failure?: string
  /** Time of the failure, integer ms. Absent in older requests. */
  readonly failedAt?: number
  readonly applied?: AppliedRecord
  /** The workflow that made the request, and applies it once the conditions of its stage hold. */
  readonly workflow?: RequestWorkflow
  readonly createdAt: number
}

/** The stage of a workflow that a request is about. */
export interface RequestWorkflow {
  readonly id: string
  /** Name of the workflow. */
  readonly name: string
  readonly stageIndex: number
  readonly stageName?: string
}

export interface StoredReview extends Review {
  readonly id: string
  readonly comment?: string
  readonly memberId?: string
  readonly serviceTokenId?: string
  /** Integer ms. */
  readonly createdAt: number
}

/** The caller who applied a request, and the time (integer ms). */
export interface AppliedRecord {
  readonly at: number
  readonly memberId?: string
  readonly serviceTokenId?: string
}

/** Reference to the resource that a request is about. */
export interface ResourceRef {
  readonly kind: RequestKind
  readonly projectKey: string
  /**
   * Absent in requests about the contents of an AI config, which all environments share, and about a list of changes.
   */
  readonly environmentKey?: string
  /** Key of the flag, segment, AI config or project. */
  readonly resourceKey: string
}

export type RequestKeys = Keys<RequestAddress>

/** The keys that all collections of requests have. Most also have `environmentKey`. */
type RequestAddress = 'proj/{projectKey}:aiconfig/{resourceKey}:approval-request/{id}'

/** Address of the resource of requests, by collection. */
const resourceAddresses = {
  flag: 'proj/{projectKey}:env/{environmentKey}:flag/{resourceKey}',
  segment: 'proj/{projectKey}:env/{environmentKey}:segment/{resourceKey}',
  aiConfigTargeting: 'proj/{projectKey}:env/{environmentKey}:aiconfig/{resourceKey}',
  aiConfigContents: 'proj/{projectKey}:aiconfig/{resourceKey}',
  changeList: 'proj/{projectKey}',
} as const

type RequestCollection = keyof typeof resourceAddresses

function collectionOf({ kind, environmentKey }: ResourceRef): RequestCollection {
  if (kind === 'proj') return 'changeList'
  if (kind !== 'aiconfig') return kind
  return environmentKey === undefined ? 'aiConfigContents' : 'aiConfigTargeting'
}

const name = 'approval-request'

function fieldsOf({ requestorId, place, notifyMemberIds, status, reviews, createdAt }: ApprovalRequest) {
  return {
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
  }
}

function requestsIn(collection: RequestCollection): Documents<ApprovalRequest, RequestAddress> {
  return documents<ApprovalRequest>()({
    name,
    // Cast: the keys of a request are the keys of its resource, with an environment where the address has one.
    // Requests are stored under the address of their resource, and are deleted with it.
    address: `${resourceAddresses[collection]}:approval-request/{id}` as RequestAddress,
    fields: fieldsOf,
    resource: ({ place }) => resourceOf(place),
    shown: {
      id: '_id',
      place: (place) => ({ resourceId: addressOf(resourceOf(place)) }),
      basis: null,
      requestor: null,
      reviews: (reviews, { time }) => ({
        allReviews: reviews.map(({ id, createdAt, reviewer: _, ...review }) => ({
          _id: id,
          creationDate: time(createdAt),
          ...review,
        })),
      }),
      executionDate: shownTime('executionDate'),
      mandate: null,
      failure: null,
      applied: null,
      workflow: ({ name, stageIndex, stageName }) => ({
        customWorkflowMetadata: { name, stage: { index: stageIndex, ...(stageName ? { name: stageName } : {}) } },
      }),
      createdAt: shownTime('creationDate'),
    },
    sentences: {
      name: ({ description }) => `the change “${shortName(description)}”`,
      created: (_, { it }) => `requested the approval of ${it}`,
      deleted: (_, { it }) => `deleted the request to approve ${it}`,
      changed: {
        description: (_, { description }, { it }) => `changed the description of ${it} to “${shortName(description)}”`,
        notifyMemberIds: 'notified members',
        notifyTeamKeys: 'notified teams',
        reviews: reviewSentences,
        status: ({ status: before }, { status }, { it }) =>
          status === 'completed'
            ? `applied the approved change ${it.replace(/^the change /, '')}:`
            : `changed the status of ${it} from ${before} to ${status}`,
      },
    },
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
      failedAt: null,
      applied: null,
      workflow: null,
      createdAt: null,
    },
  })
}

/** Returns sentences about the reviews that a change added to a request, or removed from it. */
function reviewSentences(before: ApprovalRequest, after: ApprovalRequest, { it }: Subject): string[] {
  const verbs = { approve: 'approved', decline: 'declined', comment: 'commented on' } as const
  const earlier = new Set(before.reviews.map(({ id }) => id))
  const added = after.reviews.filter(({ id }) => !earlier.has(id)).map(({ kind }) => `${verbs[kind]} ${it}`)
  return added.length > 0 ? added : [`removed reviews of ${it}`]
}

/** Collections of requests, by the kind of resource that they are about. */
export const approvalRequests = {
  flag: requestsIn('flag'),
  segment: requestsIn('segment'),
  aiConfigTargeting: requestsIn('aiConfigTargeting'),
  aiConfigContents: requestsIn('aiConfigContents'),
  changeList: requestsIn('changeList'),
} as const

/** Returns the collection of the requests about a resource. */
export function requestsAbout(resourceRef: ResourceRef): Documents<ApprovalRequest, RequestAddress> {
  return approvalRequests[collectionOf(resourceRef)]
}

/** Name of the queues of due requests. */
export const dueRequestQueue = 'due-approval-requests'

/** Queues of requests that are to be applied at a time. Requests about one resource are applied one after the other. */
const dueRequestTasks = {
  flag: dueRequestsIn('flag'),
  segment: dueRequestsIn('segment'),
  aiConfigTargeting: dueRequestsIn('aiConfigTargeting'),
  aiConfigContents: dueRequestsIn('aiConfigContents'),
  changeList: dueRequestsIn('changeList'),
} as const

/** Returns the queue of the due requests about a resource. */
export function dueRequestsAbout(resourceRef: ResourceRef): ReturnType<typeof dueRequestsIn> {
  return dueRequestTasks[collectionOf(resourceRef)]
}

function dueRequestsIn(collection: RequestCollection) {
  // Cast: the keys of a request are the keys of its resource, with an environment where the address has one.
  const address = resourceAddresses[collection] as (typeof resourceAddresses)['aiConfigContents']
  return queue({ name: dueRequestQueue, address })
}

/** Body of the tasks. A task has the id of its request. */
export type DueRequestTask = Pick<ApprovalRequest, 'place'>

/** All requests of the account or of a project, for lists, which include everything under these addresses. */
export const requestsOfAccount = documents<ApprovalRequest>()({ name, address: 'approval-request/{id}' })
export const requestsOfProject = documents<ApprovalRequest>()({
  name,
  address: 'proj/{projectKey}:approval-request/{id}',
})

/**
 * Index entry by which a request is found by its id alone. An entry of an earlier version, which has no fields, remains
 * when the request is deleted with its flag or project.
 */
export interface ApprovalIndexEntry extends Versioned, ResourceRef {}

export const approvalIndex = documents<ApprovalIndexEntry>()({
  name: 'approval-request-place',
  recorded: true,
  address: 'approval-request/{id}',
  fields: ({ kind, projectKey, environmentKey, resourceKey }) => ({
    kind,
    projectKey,
    environmentKey: environmentKey ?? null,
    resourceKey,
  }),
})

/**
 * Returns the resource for which policies are evaluated: the flag, segment or AI config in its environment, the AI
 * config in all environments, or the project.
 */
export function resourceOf({ kind, projectKey, environmentKey, resourceKey }: ResourceRef): Resource {
  const environment = environmentKey === undefined ? [] : [{ kind: 'env', key: environmentKey }]
  if (kind === 'proj') return [{ kind, key: projectKey }]
  return [{ kind: 'proj', key: projectKey }, ...environment, { kind, key: resourceKey }]
}

/**
 * Returns the text that identifies the environment of a request in indexed fields. For a request about all
 * environments, the text identifies the project.
 */
export function environmentOf({
  projectKey,
  environmentKey,
}: Pick<ResourceRef, 'projectKey' | 'environmentKey'>): string {
  return environmentKey === undefined ? `proj/${projectKey}` : `proj/${projectKey}:env/${environmentKey}`
}
