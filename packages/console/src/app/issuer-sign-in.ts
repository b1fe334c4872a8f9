import {
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  generateRandomNonce,
  generateRandomState,
} from 'oauth4webapi'
import { consolePaths } from '../console-paths.ts'
import { navigate } from './navigation.tsx'
import { basePath } from './server-settings.ts'
import { callConsole } from './session.ts'

const storageKey = 'halyard-issuer-sign-in'

/**
 * The secrets that the page created before it redirected the person to the issuer, and the address to which the person
 * returns afterwards.
 */
interface Attempt {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly returnTo: string
}

const redirectUri = `${location.origin}${basePath}${consolePaths.signedIn}`

/** Sends the person to the issuer (OpenID Connect Core 1.0, 3.1; RFC 7636). */
export async function goToIssuer(): Promise<void> {
  interface Parameters {
    readonly authorizationEndpoint: string
    readonly clientId: string
    readonly scope: string
  }
  const { authorizationEndpoint, clientId, scope } = await callConsole<Parameters>(consolePaths.issuer)
  const [state, nonce, verifier] = [generateRandomState(), generateRandomNonce(), generateRandomCodeVerifier()]
  const attempt: Attempt = { state, nonce, verifier, returnTo: location.pathname + location.search }
  sessionStorage.setItem(storageKey, JSON.stringify(attempt))
  const address = new URL(authorizationEndpoint)
  const query = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope,
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
  location.assign(address)
}

/**
 * Begins a session with the response of the issuer in the address, and goes back to the page from which the person
 * came.
 *
 * @returns false when this tab sent no person to the issuer, or the server refuses the response.
 */
export async function finishIssuerSignIn(): Promise<boolean> {
  const query = location.search
  const stored = sessionStorage.getItem(storageKey)
  sessionStorage.removeItem(storageKey)
  // The code leaves the address and the history before anything else can read it.
  navigate(`${basePath}/`, { replace: true })
  // A link of another site can lead here, but it cannot know the state that this tab made.
  if (stored === null) return false
  const { returnTo, ...attempt } = JSON.parse(stored) as Attempt
  navigate(returnTo, { replace: true })
  return callConsole(consolePaths.issuer, { ...attempt, query, redirectUri }).then(
    () => true,
    () => false,
  )
}
