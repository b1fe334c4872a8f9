import { patchOperation } from '../../operation/document-operations/patch-operation.ts'
import { jsonEqual } from '../../rules/json-equal.ts'
import { destinations } from './destination.ts'
import { destinationFailures } from './destination-outbox.ts'
import { destinationResponse, destinationSettings, serializeDestination } from './destination-response.ts'
import { splitConfig } from './split-config.ts'

export const patchDestination = patchOperation(destinations, {
  id: 'patchDestination',
  summary: 'Update a destination of data exports; a secret stays unchanged when its mask is sent',
  path: '/api/v2/destinations/{projectKey}/{environmentKey}/{id}',
  shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  settings: destinationSettings,
  change(context, patched, keys, { kind, credentials, on, config }) {
    const turnedOn = patched.on && !on
    const split = splitConfig(context, kind, { input: patched.config, storedSecrets: credentials })
    // Earlier failures are irrelevant for the new state.
    if (turnedOn || !jsonEqual({ config, credentials }, split)) context.tx.discard(destinationFailures, keys)
    return { ...patched, ...split, ...(turnedOn ? { disabledReason: undefined } : {}) }
  },
  response: destinationResponse,
  serialize: serializeDestination,
})
