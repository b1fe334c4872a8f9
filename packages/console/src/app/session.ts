import { signal } from '@preact/signals'
import { consoleHeader, consolePaths } from '../console-paths.ts'
import { basePath } from './server-settings.ts'
import { texts } from './texts.ts'

/** The insights page keeps its token under the same name. */
const tokenKey = 'halyard-token'

/** State of the session: true when the person is signed in; undefined until the server has responded. */
export const session = signal<
  | {
      readonly signedIn: boolean
      readonly name?: string
      readonly inSession: boolean
      /** Host name, with port, of the URL of the issuer at which people can sign in. */
      readonly issuer?: string
    }
  | undefined
>(undefined)

/** Why the person has to sign in; empty at the first visit. */
export const signInReason = signal('')

/** Returns the token of the tab; undefined when the person has a session or is not signed in. */
export function readToken(): string | undefined {
  return sessionStorage.getItem(tokenKey) ?? undefined
}

/** Headers of every request of the console. */
export function requestHeaders(): Record<string, string> {
  const token = readToken()
  return { [consoleHeader.name]: consoleHeader.value, ...(token ? { authorization: token } : {}) }
}

/** An error response of the console's own functions. */
export class FunctionError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Calls a function of the console's own server. */
export async function callConsole<Result>(path: string, body?: object): Promise<Result> {
  const response = await fetch(`${basePath}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { ...requestHeaders(), ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  }).catch(() => Promise.reject(new FunctionError(0, texts.unreachable)))
  const result = (await response.json().catch(() => ({}))) as Result & {
    readonly message?: string
    readonly errors?: readonly { readonly attribute: string; readonly reason: string }[]
  }
  if (response.ok) return result
  const details = (result.errors ?? []).map(({ attribute, reason }) => `${attribute} ${reason}`)
  const message = [result.message ?? `Status ${response.status}`, ...details].join(': ')
  throw new FunctionError(response.status, message)
}

/** Asks the server who the person is. A sign-in link in the address is exchanged first. */
export async function openSession(): Promise<void> {
  const code = /^#sign-in=([0-9a-f]+)$/.exec(location.hash)?.[1]
  if (code) {
    // The code leaves the address and the history before anything else can read it.
    history.replaceState(null, '', location.pathname + location.search)
    sessionStorage.removeItem(tokenKey)
    await callConsole(consolePaths.signIn, { code }).catch(() => {
      signInReason.value = texts.signIn.linkUsed
    })
  }
  session.value = await callConsole(consolePaths.session)
}

/** Signs in with a token, which is kept in the tab. */
export async function signInWith(token: string): Promise<void> {
  sessionStorage.setItem(tokenKey, token)
  await openSession()
  if (session.value?.signedIn) return
  requireSignIn(texts.signIn.refused)
}

/** Shows the sign-in page, for example after the token was deleted. */
export function requireSignIn(reason: string): void {
  sessionStorage.removeItem(tokenKey)
  signInReason.value = reason
  const { issuer } = session.peek() ?? {}
  session.value = { signedIn: false, inSession: false, ...(issuer === undefined ? {} : { issuer }) }
}

/** Ends the session and deletes the token. */
export async function signOut(): Promise<void> {
  await callConsole(consolePaths.signOut, {}).catch(() => undefined)
  requireSignIn('')
}
