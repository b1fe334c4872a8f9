import * as v from 'valibot'
import { members } from '../../models/members/member.ts'
import { teams } from '../../models/teams/team.ts'
import { type View, type ViewKeys, views } from '../../models/views/view.ts'
import type { ReadContext } from '../../operation/context.ts'
import { path, selfAndParent } from '../../operation/link.ts'
import { accessDetails, key, links, list, name, tags, text, timestamp } from '../../operation/schema.ts'

/**
 * Schema of the key of a new view, which must be lowercase
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d8-keys).
 */
export const viewKey = () =>
  v.pipe(
    key(),
    v.check((text) => text === text.toLowerCase(), 'must be lowercase'),
  )

/** Properties of a view that a caller can set at creation and with a patch. */
export const viewSettings = v.object({
  name: name(),
  description: text(),
  tags: tags(),
  maintainerId: v.optional(v.string()),
  maintainerTeamKey: v.optional(key()),
  archived: v.boolean(),
})

const maintainer = v.object({
  kind: v.picklist(['member', 'team']),
  id: v.string(),
  maintainerMember: v.optional(
    v.object({
      id: v.string(),
      email: v.string(),
      role: v.string(),
      firstName: v.string(),
      lastName: v.string(),
    }),
  ),
  maintainerTeam: v.optional(v.object({ id: v.string(), key: v.string(), name: v.string() })),
})

const viewObject = v.object({
  _links: links(),
  _access: accessDetails(),
  id: v.string(),
  accountId: v.string(),
  projectId: v.string(),
  projectKey: v.string(),
  key: v.string(),
  name: v.string(),
  description: v.string(),
  version: v.number(),
  tags: list(v.string()),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  archived: v.boolean(),
  deleted: v.boolean(),
  maintainer: v.optional(maintainer),
  /** SDKs receive all flags of an environment, regardless of views. */
  _affectsSdkPayload: v.boolean(),
  generateSdkKeys: v.boolean(),
})

/** A view in a response. */
export interface ViewResponse extends v.InferOutput<typeof viewObject> {}

export const viewResponse: v.GenericSchema<ViewResponse> = viewObject

export async function serializeView(context: ReadContext, view: View, keys: ViewKeys): Promise<ViewResponse> {
  const { time } = context.format
  const [maintainerResponse, access] = await Promise.all([
    serializeMaintainer(context, view),
    context.access(views, keys, view),
  ])
  return {
    _links: selfAndParent(viewPath(keys), path`/api/v2/projects/${keys.projectKey}/views`),
    _access: access,
    id: view.id,
    accountId: context.options.account,
    projectId: view.projectId,
    projectKey: keys.projectKey,
    key: view.key,
    name: view.name,
    description: view.description,
    version: view.version,
    tags: view.tags,
    createdAt: time(view.createdAt),
    updatedAt: time(view.updatedAt),
    archived: view.archived,
    deleted: false,
    ...(maintainerResponse ? { maintainer: maintainerResponse } : {}),
    _affectsSdkPayload: false,
    generateSdkKeys: false,
  }
}

export function viewPath({ projectKey, viewKey }: ViewKeys): string {
  return path`/api/v2/projects/${projectKey}/views/${viewKey}`
}

/**
 * Serializes the maintainer of a view. A deleted maintainer is still named, so that clients see that the view needs a
 * new one.
 */
async function serializeMaintainer(
  { tx }: ReadContext,
  { maintainerId: memberId, maintainerTeamKey: teamKey }: View,
): Promise<ViewResponse['maintainer']> {
  if (memberId !== undefined) {
    const member = await tx.get(members, { memberId })
    if (!member) return { kind: 'member', id: memberId }
    const { id, email, role, firstName, lastName } = member
    return { kind: 'member', id, maintainerMember: { id, email, role, firstName, lastName } }
  }
  if (teamKey === undefined) return undefined
  const team = await tx.get(teams, { teamKey })
  const teamResponse = team && { maintainerTeam: { id: team.key, key: team.key, name: team.name } }
  return { kind: 'team', id: teamKey, ...teamResponse }
}
