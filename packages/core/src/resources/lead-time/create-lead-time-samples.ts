import * as v from 'valibot'
import { storedSample } from '../../models/lead-time/lead-time-sample.ts'
import { jsonBody } from '../../operation/body.ts'
import { ingestResponse, ingestResponseSchema, maxIngested } from '../../operation/ingest-response.ts'
import { operation } from '../../operation/operation.ts'
import { key, list, moment, name } from '../../operation/schema.ts'
import { requireUnchangedEnvironment } from '../environments/require-unchanged-environment.ts'
import { appendLeadTimes } from './append-lead-times.ts'

// Times out of order are accepted, because real histories contain them. The chart omits only the affected stage.
const sampleRequest = v.strictObject({
  externalId: name(),
  applicationKey: key(),
  startedAt: moment(),
  openedAt: v.optional(moment()),
  mergedAt: moment(),
  deployStartedAt: v.optional(moment()),
  deployedAt: moment(),
})

const samplesRequest = v.strictObject({
  projectKey: key(),
  environmentKey: key(),
  samples: v.pipe(list(sampleRequest), v.maxLength(maxIngested, `must contain at most ${maxIngested} samples`)),
})

export const createLeadTimeSamples = operation({
  id: 'createLeadTimeSamples',
  summary: 'Create lead-time samples; samples that exist stay unchanged',
  method: 'POST',
  path: '/api/v2/engineering-insights/lead-time-samples',
  beta: 'tagged',
  body: jsonBody(samplesRequest),
  // Ten thousand samples have a size of more than a mebibyte.
  bodyLimit: 4 * 1024 * 1024,
  success: { status: 201, body: ingestResponseSchema },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    action: 'createLeadTimeSample',
    resource: 'proj/{body.projectKey}:env/{body.environmentKey}:lead-time-sample/*',
  },
  async handle(context, { body }) {
    const { samples, ...environmentKeys } = body
    const environment = await requireUnchangedEnvironment(context, environmentKeys)
    const added = await appendLeadTimes(context, environmentKeys, environment, { samples: samples.map(storedSample) })
    return () => ingestResponse(samples.length, added.count)
  },
})
