import * as v from 'valibot'
import { contextInstances, seenContexts } from '../../models/contexts/seen-context.ts'
import {
  documentsToStore,
  type Seen,
  sightedDocuments,
  type UnstoredDocument,
} from '../../models/contexts/sighting-documents.ts'
import { jsonBody } from '../../operation/body.ts'
import { ingestResponse, ingestResponseSchema } from '../../operation/ingest-response.ts'
import { operation } from '../../operation/operation.ts'
import { list } from '../../operation/schema.ts'
import { sightingOf } from '../../rules/contexts/sighting.ts'
import type { Documents, Keys } from '../../storage/collection.ts'
import type { Writer } from '../../storage/writer.ts'
import { requireUnchangedEnvironment } from '../environments/require-unchanged-environment.ts'
import { evaluatedContext } from '../targeting/evaluated-context.ts'

/** Maximum number of contexts in a request. */
const maxReported = 1_000

export const createContextInstances = operation({
  id: 'createContextInstances',
  summary:
    'Report contexts for which a program evaluates flags without an SDK that reports them; anonymous ones are not stored',
  method: 'POST',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/context-instances',
  body: jsonBody(
    v.strictObject({
      contexts: v.pipe(
        list(evaluatedContext()),
        v.maxLength(maxReported, `must contain at most ${maxReported} contexts`),
      ),
    }),
  ),
  success: { status: 201, body: ingestResponseSchema },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    action: 'createContextInstance',
    resource: 'proj/{projectKey}:env/{environmentKey}:context-instance/*',
  },
  async handle(context, { params, body }) {
    const { tx } = context
    const { projectKey, environmentKey } = params
    const now = context.readClock()
    await requireUnchangedEnvironment(context, params)
    const sightings = body.contexts.flatMap((each) => sightingOf(each, now) ?? [])
    const host = context.useHost()
    const { contexts, instances } = await sightedDocuments(sightings, (text) => host.sha256(text))
    const [, added] = await Promise.all([
      ingest(tx, seenContexts, contexts, {
        keysOf: (contextId) => ({ projectKey, environmentKey, contextId }),
        countStored: async () => (await tx.listRows(seenContexts, params, { limit: 1 })).total,
      }),
      ingest(tx, contextInstances, instances, {
        keysOf: (instanceId) => ({ projectKey, environmentKey, instanceId }),
        countStored: async () => (await tx.listRows(contextInstances, params, { limit: 1 })).total,
      }),
    ])
    return ingestResponse(body.contexts.length, added)
  },
})

/** Writes the documents that are new or must be stored again, and returns the number of documents written. */
async function ingest<T extends Seen, A extends string>(
  tx: Writer,
  collection: Documents<T, A>,
  documents: ReadonlyMap<string, UnstoredDocument<T>>,
  { keysOf, countStored }: { keysOf(id: string): Keys<A>; countStored(): Promise<number> },
): Promise<number> {
  const stored = await tx.getMany(collection, [...documents.keys()].map(keysOf))
  const written = await documentsToStore(documents, stored, countStored)
  return tx.ingest(
    collection,
    written.map(({ id, before, after }) => ({ keys: keysOf(id), before, after })),
  ).length
}
