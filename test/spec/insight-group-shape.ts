import {
  access,
  boolean,
  integer,
  links,
  listOf,
  members,
  number,
  object,
  oneOf,
  optional,
  pageLinks,
  type Shape,
  string,
  time,
  unspecified,
} from './answer-shape.ts'

/** Approval settings of an environment, or of one kind of resource in it. */
export const approvalSettings = members({
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
export const environment = members({
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

const scored = {
  score: number,
  indicator: oneOf(...indicators),
  indicatorRange: members({ min: number, max: number }),
  diffVsLastPeriod: optional(number),
  lastPeriod: unspecified,
}
const score = members(scored)
const aggregate = members({ ...scored, aggregateOf: listOf(string) })

/** All scores of a group. */
export const scores = members({
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

const period = members({ startTime: time, endTime: time })
/** Periods that the scores cover. */
export const scoreMetadata = members({ period, lastPeriod: period })

/** Fields that every group has. */
export const always: Readonly<Record<string, Shape>> = {
  key: string,
  name: string,
  projectKey: string,
  environmentKey: string,
  createdAt: time,
  applicationKeys: listOf(string),
}

/** Number of groups with each indicator. */
export const metadata = members({
  countByIndicator: members(Object.fromEntries([...indicators, 'total'].map((name) => [name, integer]))),
})

/** Fields of every page, without its groups. */
export const paged = { totalCount: integer, _links: pageLinks }
/** A page without expansions. */
export const plain = members({ ...paged, items: listOf(members(always)) })

/** A page with each single expansion. */
export const expanded: Readonly<Record<string, Shape>> = {
  scores: members({ ...paged, items: listOf(members({ ...always, scores, scoreMetadata })), scoreMetadata }),
  environment: members({ ...paged, items: listOf(members({ ...always, environment })) }),
  metadata: members({ ...paged, items: listOf(members(always)), metadata }),
}
