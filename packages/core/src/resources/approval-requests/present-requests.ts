import {
  type ApprovalPlace,
  type ApprovalRequest,
  environmentOf,
} from '../../models/approval-requests/approval-request.ts'
import { type Environment, environments } from '../../models/environments/environment.ts'
import type { Flag } from '../../models/flags/flag.ts'
import { projects } from '../../models/projects/project.ts'
import type { ReadContext } from '../../operation/context.ts'
import { isOpen } from '../../rules/approval/life.ts'
import { presentEnvironment } from '../environments/environment-wire.ts'
import { presentFlags } from '../flags/flag-wire.ts'
import { presentProject } from '../projects/project-wire.ts'
import {
  type ApprovalRequestAnswer,
  presentRequest,
  type RequestExpansion,
  type RequestView,
} from './approval-request-wire.ts'
import { conflictsOf } from './subjects/conflicts.ts'
import { loadSubject } from './subjects/load-subject.ts'
import type { Subject } from './subjects/subject.ts'

/** Serializes one request, which must exist together with its environment. */
export async function presentOne(
  context: ReadContext,
  request: ApprovalRequest,
  expand: readonly RequestExpansion[],
): Promise<ApprovalRequestAnswer> {
  const [answer] = await presentRequests(context, [request], expand)
  // The environment was deleted while its request was being read.
  // Cast: every operation that shows requests declares the code, but the context here is that of any operation.
  return answer ?? context.fail('not_found' as never)
}

/**
 * Serializes requests. Omits those whose environment was deleted concurrently. The documents of all requests are read
 * in the same round of storage requests.
 */
export async function presentRequests(
  context: ReadContext,
  requests: readonly ApprovalRequest[],
  expand: readonly RequestExpansion[],
): Promise<ApprovalRequestAnswer[]> {
  const lookUp = lookUps(context)
  const shown = await Promise.all(
    requests.map(async (request) => {
      const { place } = request
      const wanted = isOpen(request) || (expand.includes('flag') && place.kind === 'flag')
      const [subject, environment] = await Promise.all([
        wanted ? lookUp.subject(place) : undefined,
        lookUp.environment(place),
      ])
      if (!environment) return []
      const view = await viewOf(context, request, environment, subject, expand)
      return [presentRequest(context, request, view)]
    }),
  )
  return shown.flat()
}

/** Creates cached look-ups, because several requests are often about the same resource. */
function lookUps({ tx }: ReadContext) {
  const environment = remembered(environmentOf, (place) => tx.get(environments, place))
  const subject = remembered(
    (place) => `${place.kind} ${environmentOf(place)} ${place.resourceKey}`,
    (place) => loadSubject(tx, place),
  )
  return { environment, subject }
}

function remembered<T>(nameOf: (place: ApprovalPlace) => string, find: (place: ApprovalPlace) => Promise<T>) {
  const found = new Map<string, Promise<T>>()
  return (place: ApprovalPlace): Promise<T> => {
    const name = nameOf(place)
    const known = found.get(name) ?? find(place)
    found.set(name, known)
    return known
  }
}

async function viewOf(
  context: ReadContext,
  request: ApprovalRequest,
  environment: Environment,
  subject: Subject | undefined,
  expand: readonly RequestExpansion[],
): Promise<RequestView> {
  const { projectKey } = request.place
  const [conflicts, flag, project, shownEnvironment] = await Promise.all([
    subject && isOpen(request) ? conflictsOf(context, request, subject) : [],
    subject?.flag && expand.includes('flag') ? presentBareFlag(context, projectKey, subject.flag) : undefined,
    expand.includes('project') ? context.tx.get(projects, { projectKey }) : undefined,
    expand.includes('environments') ? presentEnvironment(context, projectKey, environment) : undefined,
  ])
  return {
    environment,
    conflicts: conflicts.map(({ index, reason }) => ({
      instruction: request.instructions[index] as ApprovalRequestAnswer['instructions'][number],
      reason,
    })),
    ...(flag ? { flag } : {}),
    ...(project ? { project: await presentProject(context, project) } : {}),
    ...(shownEnvironment ? { environments: [shownEnvironment] } : {}),
  }
}

/** Serializes a flag without its configurations. */
async function presentBareFlag(context: ReadContext, projectKey: string, flag: Flag) {
  const state = { flag, environments: [], configs: new Map() }
  const [answer] = await presentFlags(context, projectKey, [state], { environments: 'none' })
  return answer
}
