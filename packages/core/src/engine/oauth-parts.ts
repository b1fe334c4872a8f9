import { oauthGrants } from '../models/oauth-grants/oauth-grant.ts'
import { systemCaller } from '../operation/system-caller.ts'
import { executeAsSystem } from '../pipeline/execute.ts'
import type { RequestPipeline } from '../pipeline/request-pipeline.ts'
import type { OAuthParts } from '../resources/oauth-grants/oauth-parts.ts'
import { removeGrant } from '../resources/oauth-grants/remove-grant.ts'
import { policy } from '../resources/policy.ts'

const workName = 'system/oauth'

/** Returns the parts of an engine that its OAuth service uses. */
export function oauthPartsOf(pipeline: RequestPipeline): OAuthParts {
  return {
    storage: pipeline.accountStorage,
    host: pipeline.options.host,
    async countRequest(clientId, endpoint) {
      await pipeline.limiter?.admit(`oauth-client/${clientId}`, `oauth/${endpoint}`, pipeline.options.host.now(), {})
    },
    endGrant: (grantId, reason) =>
      executeAsSystem(pipeline, {
        id: workName,
        caller: systemCaller(workName, policy),
        async handle({ tx }) {
          const grant = await tx.get(oauthGrants, { grantId })
          if (grant) removeGrant(tx, grant, reason)
        },
      }),
  }
}
