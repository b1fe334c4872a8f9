import * as v from 'valibot'
import { jsonBody } from '../../operation/body.ts'
import { ingestResponse, ingestResponseSchema, maxIngested } from '../../operation/ingest-response.ts'
import { operation } from '../../operation/operation.ts'
import { jsonObject, key, list, moment, name } from '../../operation/schema.ts'
import { requireUnchangedEnvironment } from '../environments/require-unchanged-environment.ts'
import { flagEvents, impactReasons, impactSizeOf, impactSizes, storedEvent } from './flag-event.ts'

const eventProperties = v.strictObject({
  externalId: name(),
  flagKey: key(),
  eventType: v.pipe(
    v.string(),
    v.regex(
      /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/,
      'must be 1 to 64 letters, digits, ".", "_" or "-", starting with a letter',
    ),
  ),
  eventTime: v.optional(moment()),
  applicationKey: v.optional(key()),
  impactSize: v.optional(v.picklist(impactSizes, `must be one of ${impactSizes.join(', ')}`)),
  impactPercentage: v.optional(
    v.pipe(v.number(), v.minValue(0, 'must be at least 0'), v.maxValue(100, 'must be at most 100')),
  ),
  impactReason: v.optional(v.picklist(impactReasons, `must be one of ${impactReasons.join(', ')}`)),
  hasExperiments: v.optional(v.boolean(), false),
  metadata: v.optional(jsonObject()),
})

const eventRequest = v.pipe(
  eventProperties,
  v.forward(
    v.check(
      ({ impactSize, impactPercentage }) =>
        impactSize === undefined || impactPercentage === undefined || impactSize === impactSizeOf(impactPercentage),
      'must match impactPercentage',
    ),
    ['impactSize'],
  ),
)

export const createFlagEvents = operation({
  id: 'createFlagEvents',
  summary: 'Create flag events; events that exist stay unchanged',
  method: 'POST',
  path: '/api/v2/engineering-insights/flag-events',
  beta: 'tagged',
  body: jsonBody(
    v.strictObject({
      projectKey: key(),
      environmentKey: key(),
      events: v.pipe(list(eventRequest), v.maxLength(maxIngested, `must contain at most ${maxIngested} events`)),
    }),
  ),
  // Ten thousand events with metadata have a size of some mebibytes.
  bodyLimit: 8 * 1024 * 1024,
  success: { status: 201, body: ingestResponseSchema },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    action: 'createFlagEvent',
    resource: 'proj/{body.projectKey}:env/{body.environmentKey}:flag-event/*',
  },
  async handle(context, { body }) {
    const { tx } = context
    const now = context.readClock()
    const { events, ...environmentKeys } = body
    await requireUnchangedEnvironment(context, environmentKeys)
    const samples = events.map(({ eventTime: at = now, metadata = {}, ...event }) =>
      storedEvent({ ...event, ...withImpactSize(event), at, metadata }),
    )
    const added = tx.append(flagEvents, environmentKeys, samples)
    return () => ingestResponse(events.length, added.count)
  },
})

/** Returns the size of an impact that has a percentage. */
function withImpactSize({ impactPercentage }: { readonly impactPercentage?: number | undefined }) {
  return impactPercentage === undefined ? {} : { impactSize: impactSizeOf(impactPercentage) }
}
