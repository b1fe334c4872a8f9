import { isDeepStrictEqual } from 'node:util'
import type { Engine } from '../../index.ts'
import {
  type Actions,
  actionsOf,
  type Kind,
  type Level,
  lifeActions,
  type Resource,
  type Right,
} from './access-model.ts'

/** The resource at one address, as responses contain it. */
interface SnapshotResource {
  readonly kind: Kind
  readonly resource: Resource
  /** Addresses of the parents of the document: it is created and deleted together with them. */
  readonly within: readonly string[]
  readonly properties: Readonly<Record<string, unknown>>
}

/** Reads all resources of the account as its owner. */
export type Account = ReadonlyMap<string, SnapshotResource>

export const owner = { role: 'owner' } as const
const all = { limit: 100 } as const

export async function accountOf({ api }: Engine): Promise<Account> {
  const resources = new Map<string, SnapshotResource>()
  const add = (kind: Kind, body: object, resource: Resource, ...within: string[]): string => {
    const place = resource.map((level) => `${level.kind}/${level.key}`).join(':')
    const name = `${kind} ${place}`
    resources.set(name, { kind, resource, within, properties: JSON.parse(JSON.stringify(body)) })
    return name
  }
  for (const project of (await api.listProjects(all, { as: owner })).items) {
    const projectKey = project.key
    const atProject: Level = { kind: 'proj', key: projectKey, tags: project.tags }
    const inProject = add('project', project, [atProject])
    const environments = new Map<string, { level: Level; name: string }>()
    for (const environment of (await api.listEnvironments({ projectKey, ...all }, { as: owner })).items) {
      const { key, tags, critical } = environment
      const level: Level = { kind: 'env', key, tags, critical }
      const name = add('environment', environment, [atProject, level], inProject)
      environments.set(key, { level, name })
      const segments = await api.listSegments({ projectKey, environmentKey: key, ...all }, { as: owner })
      for (const segment of segments.items) {
        add('segment', segment, [atProject, level, { kind: 'segment', key: segment.key, tags: segment.tags }], name)
      }
    }
    const query = {
      projectKey,
      ...all,
      env: [...environments.keys()],
      summary: false,
      filter: 'state:live+deprecated+archived',
    }
    for (const flag of (await api.listFlags(query, { as: owner })).items) {
      const atFlag: Level = { kind: 'flag', key: flag.key, tags: flag.tags }
      const name = add('flag', flag, [atProject, { kind: 'env', key: '*' }, atFlag], inProject)
      for (const [key, config] of Object.entries(flag.environments ?? {})) {
        const address = environments.get(key) as { level: Level; name: string }
        add('config', config, [atProject, address.level, atFlag], name, address.name)
      }
    }
  }
  return resources
}

/** Returns every right that a change from one snapshot to the other needs, on the resources as they were before. */
export function rightsNeeded(before: Account, after: Account): Right[] {
  const rights: Right[] = []
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [previous, current] = [before.get(name), after.get(name)]
    const snapshotResource = (previous ?? current) as SnapshotResource
    if (previous && current)
      rights.push(...changedProperties(previous, current).map((action) => ({ action, resource: previous.resource })))
    else if (snapshotResource.within.every((parent) => before.has(parent) && after.has(parent))) {
      const [create, remove] = lifeActions[snapshotResource.kind] ?? ['a configuration by itself', 'no configuration']
      // A resource that does not exist yet has no tags. Tags in the request do not count.
      const untagged = snapshotResource.resource.map((level, index) =>
        index < snapshotResource.resource.length - 1 ? level : bare(level),
      )
      rights.push(previous ? { action: remove, resource: previous.resource } : { action: create, resource: untagged })
    }
  }
  return rights
}

function bare({ kind, key }: Level): Level {
  return { kind, key }
}

function changedProperties(
  { kind, properties: previous }: SnapshotResource,
  { properties: current }: SnapshotResource,
): string[] {
  const actions: Actions = actionsOf[kind]
  return Object.keys(actions)
    .filter((property) => !isDeepStrictEqual(previous[property], current[property]))
    .map((property) => actions[property] as string)
}
