import { ApiError, type ClientApi, createClient } from '@halyard/client'
import { computed, signal } from '@preact/signals'
import { basePath, versionHeader } from './server-settings.ts'
import { FunctionError, requestHeaders, requireSignIn, session } from './session.ts'
import { texts } from './texts.ts'

/** Entity tags of the responses by path: the client returns bodies only. */
const entityTags = new Map<string, string>()

const client = createClient({
  baseUrl: `${location.origin}${basePath}`,
  headers: { [versionHeader]: 'beta' },
  retries: 1,
  async fetch(request) {
    const response = await fetchAsPerson(request)
    const tag = response.headers.get('etag')
    if (tag) entityTags.set(new URL(request.url).pathname, tag)
    return response
  },
})

/**
 * Sends a request with the session or the token of the person.
 *
 * @param send the function that sends the request. Default: `fetch`.
 */
export async function fetchAsPerson(request: Request, send = (sent: Request) => fetch(sent)): Promise<Response> {
  for (const [name, value] of Object.entries(requestHeaders())) request.headers.set(name, value)
  const response = await send(request)
  if (response.status === 401 && session.value?.signedIn) requireSignIn(texts.signIn.refused)
  return response
}

/** The operations of the API with the rights of the person. */
export const api: ClientApi = client.api

/**
 * Returns the reading operations for the state at a past moment, with the rights that the person has now.
 *
 * @param time ISO 8601 text.
 */
export function apiAt(time: string): ClientApi {
  const headers = { [versionHeader]: 'beta', 'halyard-at': time }
  return createClient({
    baseUrl: `${location.origin}${basePath}`,
    headers,
    retries: 1,
    fetch: (request) => fetchAsPerson(request),
  }).api
}

/** Returns the entity tag of the last response from a path of the API, e.g. `/api/v2/flags/web/checkout`. */
export function entityTagOf(path: string): string | undefined {
  return entityTags.get(`${basePath}${path}`)
}

/** Increases when data may have changed: after a call that changed something, and after changes by other people. */
export const revision = signal(0)

/** Loads the data of all pages again. */
export function refresh(): void {
  revision.value++
}

export const isSignedIn = computed(() => session.value?.signedIn === true)

/** Returns the message of an error for people. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError || error instanceof FunctionError) return error.message
  if (error instanceof Error && error.name === 'NetworkError') return texts.unreachable
  return error instanceof Error ? error.message : String(error)
}

/** Returns true for an error response with this status. */
export function hasStatus(error: unknown, status: number): boolean {
  return (error as { readonly status?: unknown } | undefined)?.status === status
}

/** The response of an operation. */
export type ResponseOf<Id extends keyof ClientApi> = Awaited<ReturnType<ClientApi[Id]>>

export type Flag = ResponseOf<'getFlag'>
export type FlagConfig = NonNullable<Flag['environments']>[string]
export type Segment = ResponseOf<'getSegment'>
export type Project = ResponseOf<'listProjects'>['items'][number]
export type Environment = ResponseOf<'listEnvironments'>['items'][number]
export type ChangeLogEntry = ResponseOf<'listChangeLog'>['items'][number]
export type ApprovalRequest = ResponseOf<'listApprovalRequests'>['items'][number]
export type Member = ResponseOf<'listMembers'>['items'][number]
