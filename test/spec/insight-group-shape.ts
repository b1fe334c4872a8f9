import {
  access,
  boolean,
  integer,
  links,
  listOf,
  number,
  object,
  objectOf,
  oneOf,
  optional,
  pageLinks,
  type Shape,
  string,
  time,
  unspecified,
} from './response-shape.ts'

/** Approval settings of an environment, or of one kind of resource in it. */
export const approvalSettings = objectOf({
  required: boolean,
  bypassApprovalsForPendingChanges: boolean,
  minNumApprovals: integer,
  canReviewOwnRequest: boolean,
  canApplyDeclinedChanges: boolean,
  serviceKind: string,
  serviceConfig: object,
  requiredApprovalTags: listOf(string),
  autoApplyApprovedChanges: boolean,
  serviceKindConfigurationId: string,
})

/** An environment in an expanded group. */
export const environment = objectOf({
  _links: links('self'),
  _id: string,
  key: string,
  name: string,
  apiKey: string,
  mobileKey: string,
  color: string,
  defaultTtl: integer,
  secureMode: boolean,
  defaultTrackEvents: boolean,
  requireComments: boolean,
  confirmChanges: boolean,
  tags: listOf(string),
  critical: boolean,
  _access: access,
  approvalSettings,
  resourceApprovalSettings: object,
})

/** Possible indicators of a score. */
export const indicators = ['excellent', 'good', 'fair', 'needsAttention', 'notCalculated', 'unknown']

const scoreFields = {
  score: number,
  indicator: oneOf(...indicators),
  indicatorRange: objectOf({ min: number, max: number }),
  diffVsLastPeriod: optional(number),
  lastPeriod: unspecified,
}
const score = objectOf(scoreFields)
const aggregate = objectOf({ ...scoreFields, aggregateOf: listOf(string) })

/** All scores of a group. */
export const scores = objectOf({
  overall: aggregate,
  deploymentFrequency: score,
  deploymentFailureRate: score,
  leadTime: score,
  impactSize: score,
  experimentationCoverage: score,
  flagHealth: score,
  velocity: aggregate,
  risk: aggregate,
  efficiency: aggregate,
  creationRatio: score,
})

const period = objectOf({ startTime: time, endTime: time })
/** Periods that the scores cover. */
export const scoreMetadata = objectOf({ period, lastPeriod: period })

/** Fields that every group has. */
export const commonFields: Readonly<Record<string, Shape>> = {
  key: string,
  name: string,
  projectKey: string,
  environmentKey: string,
  createdAt: time,
  applicationKeys: listOf(string),
}

/** Number of groups with each indicator. */
export const metadata = objectOf({
  countByIndicator: objectOf(Object.fromEntries([...indicators, 'total'].map((name) => [name, integer]))),
})

/** Fields of every page, without its groups. */
export const pageFields = { totalCount: integer, _links: pageLinks }
/** A page without expansions. */
export const unexpandedPage = objectOf({ ...pageFields, items: listOf(objectOf(commonFields)) })

/** A page with each single expansion. */
export const expandedPages: Readonly<Record<string, Shape>> = {
  scores: objectOf({
    ...pageFields,
    items: listOf(objectOf({ ...commonFields, scores, scoreMetadata })),
    scoreMetadata,
  }),
  environment: objectOf({ ...pageFields, items: listOf(objectOf({ ...commonFields, environment })) }),
  metadata: objectOf({ ...pageFields, items: listOf(objectOf(commonFields)), metadata }),
}
