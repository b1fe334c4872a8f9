import * as v from 'valibot'
import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { jsonObject, key, list, moment, name } from '../../operation/schema.ts'
import { environments } from '../environments/environment.ts'
import { flagEvents, impactSizes, storedEvent } from './flag-event.ts'

const eventRequest = v.strictObject({
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
  hasExperiments: v.optional(v.boolean(), false),
  metadata: v.optional(jsonObject()),
})

export const createFlagEvents = operation({
  id: 'createFlagEvents',
  summary: 'Tell what happened to flags elsewhere; events that are known already stay as they are',
  method: 'POST',
  path: '/api/v2/engineering-insights/flag-events',
  beta: 'tagged',
  body: jsonBody(
    v.strictObject({
      projectKey: key(),
      environmentKey: key(),
      events: v.pipe(list(eventRequest), v.maxLength(10_000, 'must hold at most 10000 events')),
    }),
  ),
  // Ten thousand events with metadata are some mebibytes.
  bodyLimit: 8 * 1024 * 1024,
  attempts: 5,
  success: { status: 201, body: v.object({ accepted: v.number(), added: v.number(), known: v.number() }) },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    action: 'createFlagEvent',
    resource: 'proj/{body.projectKey}:env/{body.environmentKey}:flag-event/*',
  },
  async handle({ tx, now, fail }, { body }) {
    const { events, ...place } = body
    const environment = (await tx.get(environments, place)) ?? fail('not_found')
    tx.expect(environments, place, environment)
    const samples = events.map(({ eventTime: at = now, metadata = {}, ...event }) =>
      storedEvent({ ...event, at, metadata }),
    )
    const added = tx.append(flagEvents, place, samples)
    return () => ({ accepted: events.length, added: added.count, known: events.length - added.count })
  },
})
