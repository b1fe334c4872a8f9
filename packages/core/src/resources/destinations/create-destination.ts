import * as v from 'valibot'
import { environments } from '../../models/environments/environment.ts'
import type { Context } from '../../operation/context.ts'
import { createOperation } from '../../operation/document-operations/create-operation.ts'
import type { Reader } from '../../storage/reader.ts'
import { destinations } from './destination.ts'
import {
  destinationKind,
  destinationResponse,
  destinationSettings,
  serializeDestination,
} from './destination-response.ts'
import { splitConfig } from './split-config.ts'

const { name, on, config } = destinationSettings.entries

export const createDestination = createOperation(destinations, {
  id: 'createDestination',
  undo: { create: undefined },
  summary: 'Create a destination for the data exports of an environment; it is off unless `on` is true',
  path: '/api/v2/destinations/{projectKey}/{environmentKey}',
  access: { action: 'createDestination', resource: 'proj/{projectKey}:env/{environmentKey}:destination/*' },
  within: environments,
  body: v.strictObject({ name, kind: destinationKind, config, on: v.optional(on, false) }),
  keyOf: ({ id }) => id,
  make(context, body, { projectKey, environmentKey }) {
    requireExporter(context, body.kind)
    return {
      ...body,
      ...splitConfig(context, body.kind, { input: body.config }),
      id: context.useHost().newId(),
      projectKey,
      environmentKey,
      createdAt: context.readClock(),
    }
  },
  response: destinationResponse,
  serialize: serializeDestination,
})

/**
 * Fails unless the engine can send to destinations of a kind. An engine without exporters accepts all kinds, because
 * another engine can send the data.
 */
function requireExporter(
  { options, fail }: Pick<Context<Reader, 'invalid_request'>, 'options' | 'fail'>,
  kind: string,
) {
  const { exporterKinds = [] } = options
  if (exporterKinds.length === 0 || exporterKinds.includes(kind)) return
  const reason = `must be one of ${exporterKinds.map((name) => `"${name}"`).join(', ')}, for which this engine has exporters`
  fail('invalid_request', { errors: [{ attribute: 'kind', reason }] })
}
