import * as v from 'valibot'
import { jsonObject, key, list, moment, name } from '../../operation/schema.ts'
import { applicationKinds } from './deployment.ts'

const count = () => v.pipe(v.number(), v.integer('must be an integer'), v.minValue(0, 'must not be negative'))

const pullRequest = v.strictObject({
  externalId: name(),
  title: v.optional(v.pipe(v.string(), v.maxLength(1000, 'must have at most 1000 characters'))),
  url: v.optional(v.pipe(v.string(), v.maxLength(2048, 'must have at most 2048 characters'))),
  author: v.optional(name()),
  startedAt: moment(),
  openedAt: v.optional(moment()),
  mergedAt: moment(),
  linesAdded: v.optional(count(), 0),
  linesDeleted: v.optional(count(), 0),
})

const eventTypes = ['started', 'failed', 'finished', 'custom'] as const

/** What a deployment tool says when something happens to a deployment. */
export const deploymentEventRequest = v.pipe(
  v.strictObject({
    projectKey: key(),
    environmentKey: key(),
    applicationKey: key(),
    applicationName: v.optional(name()),
    applicationKind: v.optional(v.picklist(applicationKinds, `must be one of ${applicationKinds.join(', ')}`)),
    version: v.pipe(
      v.string(),
      v.regex(/^[A-Za-z0-9._-]{1,256}$/, 'must be 1 to 256 letters, digits, ".", "_" or "-"'),
    ),
    versionName: v.optional(name()),
    eventType: v.picklist(eventTypes, `must be one of ${eventTypes.join(', ')}`),
    eventTime: v.optional(moment()),
    eventMetadata: v.optional(jsonObject()),
    deploymentMetadata: v.optional(jsonObject()),
    pullRequests: v.optional(v.pipe(list(pullRequest), v.maxLength(1000, 'must hold at most 1000 pull requests')), []),
  }),
  v.forward(
    v.check(
      ({ eventType, pullRequests }) => pullRequests.length === 0 || eventType === 'finished',
      'must come with a finished event: only then have they reached the environment',
    ),
    ['pullRequests'],
  ),
)

export type DeploymentEventRequest = v.InferOutput<typeof deploymentEventRequest>
