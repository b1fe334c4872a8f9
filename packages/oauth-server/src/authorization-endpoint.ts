import type { EngineRequest, EngineResponse } from '@halyard/core'
import { type AuthorizationRequest, parseAuthorization, type RefusedAuthorization } from './authorization-request.ts'
import { consentCookie, receivedCookie } from './consent-cookie.ts'
import { consentPage, failurePage } from './consent-page.ts'
import { checkGrant, createGrant, type GrantOutcome, nameOfMember, requestWithToken } from './create-grant.ts'
import type { OAuthEngine } from './oauth-engine.ts'
import type { ServerSettings } from './options.ts'
import { formParameters, queryParameters } from './parameters.ts'
import { methodNotAllowed, page, redirectTo } from './responses.ts'

/** Asks a person for consent, and sends the browser to the client with a code (RFC 6749, 3.1 and 4.1). */
export function handleAuthorization(
  engine: OAuthEngine,
  settings: ServerSettings,
  request: EngineRequest,
): Promise<EngineResponse> {
  if (request.method === 'GET' || request.method === 'HEAD') return ask(engine, settings, request)
  if (request.method === 'POST') return decide(engine, settings, request)
  return Promise.resolve(methodNotAllowed('GET, HEAD, POST'))
}

async function ask(engine: OAuthEngine, settings: ServerSettings, request: EngineRequest): Promise<EngineResponse> {
  const parsed = await parseAuthorization(engine, queryParameters(request))
  if ('error' in parsed) return refuse(settings, parsed)
  const outcome = await checkGrant(engine, request, parsed)
  if (outcome.kind === 'unidentified' && settings.signIn) {
    const { location } = redirectTo(settings.endpoints.authorize, parsed.parameters).headers
    return redirectTo(settings.signIn(location ?? ''), {})
  }
  if (outcome.kind === 'unidentified')
    return consent(settings, request, { authorization: parsed, personName: undefined })
  if (outcome.kind !== 'granted') return refuseOutcome(settings, parsed, outcome)
  return consent(settings, request, {
    authorization: parsed,
    personName: await nameOfMember(engine, request, outcome.memberId),
  })
}

async function decide(engine: OAuthEngine, settings: ServerSettings, request: EngineRequest): Promise<EngineResponse> {
  const form = await formParameters(request)
  if (!form) return failed(settings, 400, 'The form of the page is invalid.')
  const { csrf, decision, token } = form.values
  // This is checked first, because a form of another site must not even learn whether a request is valid.
  if (csrf === undefined || csrf !== receivedCookie(request, settings))
    return failed(settings, 403, 'The page has expired. Start again in the application.')
  const parsed = await parseAuthorization(engine, form)
  if ('error' in parsed) return refuse(settings, parsed)
  const { redirectUri, state } = parsed
  if (decision !== 'allow')
    return refuse(settings, { error: 'access_denied', description: 'The person denied access.', redirectUri, state })
  const personRequest = token === undefined ? request : requestWithToken(request, token, settings)
  const outcome = await createGrant(engine, personRequest, parsed)
  if (outcome.kind === 'unidentified') {
    const failure = token === undefined ? 'Sign in first.' : 'The token is not valid.'
    return consent(settings, request, { authorization: parsed, personName: undefined }, failure)
  }
  if (outcome.kind !== 'granted') return refuseOutcome(settings, parsed, outcome)
  return redirectTo(redirectUri, { code: outcome.code, state, iss: settings.issuer })
}

/**
 * The request of a client for authorization, and the e-mail address or id of the person who decides; undefined when the
 * person is not signed in.
 */
interface ConsentRequest {
  readonly authorization: AuthorizationRequest
  readonly personName: string | undefined
}

function consent(
  settings: ServerSettings,
  request: EngineRequest,
  { authorization, personName }: ConsentRequest,
  failure?: string,
): EngineResponse {
  const { endpoints } = settings
  const { value: csrf, header: cookie } = consentCookie(request, settings)
  const view = {
    request: authorization,
    action: endpoints.authorize,
    styleUrl: endpoints.style,
    csrf,
    personName,
    failure,
  }
  const formTargets = `'self' ${new URL(authorization.redirectUri).origin}`
  return page(failure === undefined ? 200 : 401, consentPage(view), { formTargets, cookie })
}

type FailedOutcome = Extract<GrantOutcome, { readonly kind: 'invalid_scope' | 'refused' }>

function refuseOutcome(
  settings: ServerSettings,
  request: AuthorizationRequest,
  outcome: FailedOutcome,
): EngineResponse {
  if (outcome.kind === 'refused') return failed(settings, outcome.status, outcome.message)
  const { redirectUri, state } = request
  const description = 'scope: must be reader, writer, admin or keys of custom roles.'
  return refuse(settings, { error: 'invalid_scope', description, redirectUri, state })
}

/** Sends an error to the client, or shows it on a page when the redirect URI does not belong to the client. */
function refuse(settings: ServerSettings, refused: RefusedAuthorization): EngineResponse {
  const { error, description, redirectUri, state } = refused
  if (redirectUri === undefined) return failed(settings, 400, description)
  return redirectTo(redirectUri, { error, error_description: description, state, iss: settings.issuer })
}

function failed({ endpoints }: ServerSettings, status: number, message: string): EngineResponse {
  return page(status, failurePage(message, endpoints.style))
}
