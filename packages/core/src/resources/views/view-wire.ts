import * as v from 'valibot'
import { members } from '../../models/members/member.ts'
import { teams } from '../../models/teams/team.ts'
import { type View, type ViewKeys, views } from '../../models/views/view.ts'
import type { ReadContext } from '../../operation/context.ts'
import { path, selfAndParent } from '../../operation/link.ts'
import { accessDetails, key, links, list, name, tags, text, timestamp } from '../../operation/schema.ts'

/** The key of a new view: without capitals (D8). */
export const viewKey = () =>
  v.pipe(
    key(),
    v.check((text) => text === text.toLowerCase(), 'must be lowercase'),
  )

/** What a caller may set on a view, at creation and by a patch. */
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

export const viewWire = v.object({
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
  /** SDKs are told of all flags of an environment, whatever views they are linked to. */
  _affectsSdkPayload: v.boolean(),
  generateSdkKeys: v.boolean(),
})

export type ViewAnswer = v.InferOutput<typeof viewWire>

export async function presentView(context: ReadContext, view: View, keys: ViewKeys): Promise<ViewAnswer> {
  const { time } = context.format
  const [shownMaintainer, access] = await Promise.all([
    presentMaintainer(context, view),
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
    ...(shownMaintainer ? { maintainer: shownMaintainer } : {}),
    _affectsSdkPayload: false,
    generateSdkKeys: false,
  }
}

export function viewPath({ projectKey, viewKey }: ViewKeys): string {
  return path`/api/v2/projects/${projectKey}/views/${viewKey}`
}

/** One who is gone is still named, so that it is seen that the view needs another. */
async function presentMaintainer(
  { tx }: ReadContext,
  { maintainerId: memberId, maintainerTeamKey: teamKey }: View,
): Promise<ViewAnswer['maintainer']> {
  if (memberId !== undefined) {
    const member = await tx.get(members, { memberId })
    if (!member) return { kind: 'member', id: memberId }
    const { id, email, role, firstName, lastName } = member
    return { kind: 'member', id, maintainerMember: { id, email, role, firstName, lastName } }
  }
  if (teamKey === undefined) return undefined
  const team = await tx.get(teams, { teamKey })
  const shown = team && { maintainerTeam: { id: team.key, key: team.key, name: team.name } }
  return { kind: 'team', id: teamKey, ...shown }
}
