import type { ApiError, EngineResponse } from '@halyard/core'

/** Headers of every response that contains a code, a token or a page for one person (RFC 6749, 5.1). */
const uncached = { 'cache-control': 'no-store', pragma: 'no-cache', 'x-content-type-options': 'nosniff' }

export function json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): EngineResponse {
  return {
    status,
    headers: { ...uncached, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  }
}

/** An error of the token endpoint, or of the endpoints for revocation and introspection (RFC 6749, 5.2). */
export function errorResponse(error: string, description: string): EngineResponse {
  const body = { error, error_description: description }
  if (error === 'invalid_client') return json(401, body, { 'www-authenticate': 'Basic realm="OAuth", charset="UTF-8"' })
  return json(400, body)
}

/**
 * The response to a client that is above its quota of requests; undefined for other errors. RFC 6749 has no code for
 * this at the token endpoint, so the response has the code `temporarily_unavailable`, which RFC 6749 defines for an
 * overloaded authorization endpoint.
 */
export function rateLimitResponse(error: unknown): EngineResponse | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'rate_limited') return undefined
  const { headers } = error as ApiError
  return json(429, { error: 'temporarily_unavailable', error_description: error.message }, headers)
}

export function methodNotAllowed(allow: string): EngineResponse {
  return json(405, { error: 'invalid_request', error_description: `The method must be ${allow}.` }, { allow })
}

/**
 * Sends the browser to a redirect URI with more parameters. 303, so that the browser does not repeat a form there (RFC
 * 9700, 4.12).
 */
export function redirectTo(uri: string, parameters: Readonly<Record<string, string | undefined>>): EngineResponse {
  const present = Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  const query = new URLSearchParams(present).toString()
  const separator = query === '' ? '' : uri.includes('?') ? '&' : '?'
  const headers = { ...uncached, 'referrer-policy': 'no-referrer', location: `${uri}${separator}${query}` }
  return { status: 303, headers, body: '' }
}

/**
 * A page without scripts, which no other page can show in a frame.
 *
 * @param formTargets origins to which its form may lead: browsers also check the redirect that follows a form.
 */
export function page(
  status: number,
  html: string,
  { formTargets = "'none'", cookie }: { readonly formTargets?: string; readonly cookie?: string } = {},
): EngineResponse {
  const policy = `default-src 'none'; style-src 'self'; form-action ${formTargets}; frame-ancestors 'none'; base-uri 'none'`
  const headers = {
    ...uncached,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    ...(cookie === undefined ? {} : { 'set-cookie': cookie }),
  }
  return { status, headers, body: html }
}
