import {
  type ApprovalRequest,
  environmentOf,
  type ResourceRef,
} from '../../models/approval-requests/approval-request.ts'
import type { Environment } from '../../models/environments/environment.ts'
import type { Flag } from '../../models/flags/flag.ts'
import { projects } from '../../models/projects/project.ts'
import type { ReadContext } from '../../operation/context.ts'
import { isOpen } from '../../rules/approval/approval-steps.ts'
import { serializeEnvironment } from '../environments/environment-schema.ts'
import { serializeFlags } from '../flags/flag-schema.ts'
import { serializeProject } from '../projects/project-schema.ts'
import {
  type ApprovalRequestResponse,
  type RequestExpansion,
  type RequestView,
  serializeRequest,
} from './approval-request-response.ts'
import { loadRequestEnvironments, settingsOfRequest } from './request-environments.ts'
import { conflictsOf } from './subjects/conflicts.ts'
import { loadSubject } from './subjects/load-subject.ts'
import type { Subject } from './subjects/subject.ts'

/** Serializes one request, which must exist together with its environment. */
export async function serializeSingleRequest(
  context: ReadContext,
  request: ApprovalRequest,
  expand: readonly RequestExpansion[],
): Promise<ApprovalRequestResponse> {
  const [response] = await serializeRequests(context, [request], expand)
  // The environment was deleted while its request was being read.
  // Cast: every operation that returns requests declares this code, but the type of `context` does not state it.
  return response ?? context.fail('not_found' as never)
}

/**
 * Serializes requests. Omits those whose environment was deleted concurrently. The documents of all requests are read
 * in the same round of storage requests.
 */
export async function serializeRequests(
  context: ReadContext,
  requests: readonly ApprovalRequest[],
  expand: readonly RequestExpansion[],
): Promise<ApprovalRequestResponse[]> {
  const lookUp = createLookUp(context)
  const responses = await Promise.all(
    requests.map(async (request) => {
      const { place: resourceRef } = request
      const needsSubject = isOpen(request) || (expand.includes('flag') && resourceRef.kind === 'flag')
      const [subject, concerned] = await Promise.all([
        needsSubject ? lookUp.subject(resourceRef) : undefined,
        lookUp.environments(resourceRef),
      ])
      if (!concerned) return []
      const view = await viewOf(context, request, { concerned, subject }, expand)
      return [serializeRequest(context, request, view)]
    }),
  )
  return responses.flat()
}

/** Creates look-up functions that cache their results, because several requests are often about the same resource. */
function createLookUp({ tx }: ReadContext) {
  const environments = memoize(environmentOf, (resourceRef) => loadRequestEnvironments(tx, resourceRef))
  const subject = memoize(
    (resourceRef) => `${resourceRef.kind} ${environmentOf(resourceRef)} ${resourceRef.resourceKey}`,
    (resourceRef) => loadSubject(tx, resourceRef),
  )
  return { environments, subject }
}

function memoize<T>(keyOf: (resourceRef: ResourceRef) => string, load: (resourceRef: ResourceRef) => Promise<T>) {
  const cache = new Map<string, Promise<T>>()
  return (resourceRef: ResourceRef): Promise<T> => {
    const key = keyOf(resourceRef)
    const cached = cache.get(key) ?? load(resourceRef)
    cache.set(key, cached)
    return cached
  }
}

/** The subject of a request, and the environments that the request concerns. */
interface RequestScope {
  readonly concerned: readonly Environment[]
  readonly subject: Subject | undefined
}

async function viewOf(
  context: ReadContext,
  request: ApprovalRequest,
  { concerned, subject }: RequestScope,
  expand: readonly RequestExpansion[],
): Promise<RequestView> {
  const { projectKey } = request.place
  const [conflicts, flag, project, environmentResponses] = await Promise.all([
    subject && isOpen(request) ? conflictsOf(context, request, subject) : [],
    subject?.flag && expand.includes('flag') ? serializeBareFlag(context, projectKey, subject.flag) : undefined,
    expand.includes('project') ? context.tx.get(projects, { projectKey }) : undefined,
    expand.includes('environments')
      ? Promise.all(concerned.map((environment) => serializeEnvironment(context, projectKey, environment)))
      : undefined,
  ])
  return {
    settings: settingsOfRequest(request.place, concerned),
    conflicts: conflicts.map(({ index, reason }) => ({
      instruction: request.instructions[index] as ApprovalRequestResponse['instructions'][number],
      reason,
    })),
    ...(flag ? { flag } : {}),
    ...(project ? { project: await serializeProject(context, project) } : {}),
    ...(environmentResponses ? { environments: environmentResponses } : {}),
  }
}

/** Serializes a flag without its configurations. */
async function serializeBareFlag(context: ReadContext, projectKey: string, flag: Flag) {
  const state = { flag, environments: [], configs: new Map() }
  const [response] = await serializeFlags(context, projectKey, [state], { environments: 'none' })
  return response
}
