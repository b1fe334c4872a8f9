import * as v from 'valibot'
import { applicationKinds } from '../../models/deployments/deployment.ts'
import { maxIngested } from '../../operation/ingest-response.ts'
import { isKey, isMoment, jsonObject, key, list, moment, name, withFastPath } from '../../operation/schema.ts'

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

const maxChanges = 1000
const changeIds = () => v.optional(v.pipe(list(name()), v.maxLength(maxChanges, 'must contain at most 1000 ids')))

const versionPattern = /^[A-Za-z0-9._-]{1,256}$/

const eventEntries = {
  applicationKey: key(),
  applicationName: v.optional(name()),
  applicationKind: v.optional(v.picklist(applicationKinds, `must be one of ${applicationKinds.join(', ')}`)),
  version: v.pipe(v.string(), v.regex(versionPattern, 'must be 1 to 256 letters, digits, ".", "_" or "-"')),
  versionName: v.optional(name()),
  eventType: v.picklist(eventTypes, `must be one of ${eventTypes.join(', ')}`),
  eventTime: v.optional(moment()),
  eventMetadata: v.optional(jsonObject()),
  deploymentMetadata: v.optional(jsonObject()),
  /** The pull requests that were released by the deployment, with all their properties. */
  pullRequests: v.optional(
    v.pipe(list(pullRequest), v.maxLength(maxChanges, 'must contain at most 1000 pull requests')),
  ),
  /**
   * Ids of the pull requests and commits that were released by the deployment. They are reported separately, earlier or
   * later.
   */
  pullRequestIds: changeIds(),
  commitIds: changeIds(),
}

const event = v.strictObject(eventEntries)

/** An event of a deployment, as deployment tools send it. */
export type DeploymentEventInput = v.InferOutput<typeof event>

const changeProperties = ['pullRequests', 'pullRequestIds', 'commitIds'] as const

const notFinishedMessage =
  'must come with a finished event, because changes reach the environment when a deployment finishes'

/** Rejects pull requests and commits in an event that is not of the type `finished`. */
const requireFinishedForChanges = <Input extends DeploymentEventInput>() =>
  v.rawCheck<Input>(({ dataset, addIssue }) => {
    if (!dataset.typed || dataset.value.eventType === 'finished') return
    const input = dataset.value
    for (const key of changeProperties) {
      const value = input[key]
      if (value?.length)
        addIssue({ message: notFinishedMessage, path: [{ type: 'object', origin: 'value', input, key, value }] })
    }
  })

const eventWithEnvironment = v.strictObject({ projectKey: key(), environmentKey: key(), ...eventEntries })

/** One event, with its environment. */
export const deploymentEventRequest = v.pipe(
  eventWithEnvironment,
  requireFinishedForChanges<v.InferOutput<typeof eventWithEnvironment>>(),
)

const plainProperties: ReadonlySet<string> = new Set(['applicationKey', 'version', 'eventType', 'eventTime'])

/**
 * Reads an event that has only the identity, the type and the time, as most events have. Returns undefined for any
 * other event.
 */
function readPlainEvent(value: Readonly<Record<string, unknown>>): DeploymentEventInput | undefined {
  for (const property in value) if (!plainProperties.has(property)) return undefined
  const { applicationKey, version, eventType, eventTime } = value
  if (!isKey(applicationKey) || typeof version !== 'string' || !versionPattern.test(version)) return undefined
  if (!isMoment(eventTime) || !isEventType(eventType)) return undefined
  return { applicationKey, version, eventType, eventTime: Number(eventTime) }
}

function isEventType(value: unknown): value is DeploymentEventInput['eventType'] {
  return eventTypes.includes(value as DeploymentEventInput['eventType'])
}

/** Events of one environment. */
export const deploymentEventsRequest = v.strictObject({
  projectKey: key(),
  environmentKey: key(),
  events: v.pipe(
    list(withFastPath(v.pipe(event, requireFinishedForChanges<DeploymentEventInput>()), readPlainEvent)),
    v.maxLength(maxIngested, `must contain at most ${maxIngested} events`),
  ),
})
