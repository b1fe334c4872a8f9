import type { EngineRequest } from '../operation/engine-request.ts'
import { fail } from '../operation/errors.ts'

/**
 * Refuses a request that changes something with a session, unless no page of another site can have made it: browsers
 * set `Sec-Fetch-Site` themselves, and a page of another site cannot add `X-Requested-With` without the permission of a
 * preflight request, which is never given for requests with cookies
 * (docs/decisions/0002-decide-access-by-policy.md#d38-callers-of-a-host-application).
 *
 * @throws ApiError `forbidden`.
 */
export function requireSameOrigin({ method, header }: EngineRequest): void {
  if (method === 'GET' || method === 'HEAD') return
  const site = header('sec-fetch-site')
  if (site === 'same-origin' || (site === undefined && header('x-requested-with') !== undefined)) return
  const message =
    'Forbidden. A request with a session must come from the same origin, with the header Sec-Fetch-Site: same-origin ' +
    'of browsers, or with the header X-Requested-With.'
  fail('forbidden', { message })
}
