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

/** The resource at one address, as responses show it. */
interface Thing {
  readonly kind: Kind
  readonly resource: Resource
  /** Addresses of its parents, with which it is created and deleted. */
  readonly within: readonly string[]
  readonly members: Readonly<Record<string, unknown>>
}

/** Reads all resources of the account as its owner. */
export type Account = ReadonlyMap<string, Thing>

export const owner = { role: 'owner' } as const
const all = { limit: 100 } as const

export async function accountOf({ api }: Engine): Promise<Account> {
  const things = new Map<string, Thing>()
  const add = (kind: Kind, shown: object, resource: Resource, ...within: string[]): string => {
    const place = resource.map((level) => `${level.kind}/${level.key}`).join(':')
    const name = `${kind} ${place}`
    things.set(name, { kind, resource, within, members: JSON.parse(JSON.stringify(shown)) })
    return name
  }
  for (const project of (await api.listProjects(all, { as: owner })).items) {
    const projectKey = project.key
    const atProject: Level = { kind: 'proj', key: projectKey, tags: project.tags }
    const inProject = add('project', project, [atProject])
    const places = new Map<string, { level: Level; name: string }>()
    for (const environment of (await api.listEnvironments({ projectKey, ...all }, { as: owner })).items) {
      const { key, tags, critical } = environment
      const level: Level = { kind: 'env', key, tags, critical }
      const name = add('environment', environment, [atProject, level], inProject)
      places.set(key, { level, name })
      const found = await api.listSegments({ projectKey, environmentKey: key, ...all }, { as: owner })
      for (const segment of found.items) {
        add('segment', segment, [atProject, level, { kind: 'segment', key: segment.key, tags: segment.tags }], name)
      }
    }
    const asked = {
      projectKey,
      ...all,
      env: [...places.keys()],
      summary: false,
      filter: 'state:live+deprecated+archived',
    }
    for (const flag of (await api.listFlags(asked, { as: owner })).items) {
      const atFlag: Level = { kind: 'flag', key: flag.key, tags: flag.tags }
      const name = add('flag', flag, [atProject, { kind: 'env', key: '*' }, atFlag], inProject)
      for (const [key, config] of Object.entries(flag.environments ?? {})) {
        const place = places.get(key) as { level: Level; name: string }
        add('config', config, [atProject, place.level, atFlag], name, place.name)
      }
    }
  }
  return things
}

/** Returns every right that a change from one snapshot to the other needs, on the resources as they were before. */
export function rightsNeeded(before: Account, after: Account): Right[] {
  const rights: Right[] = []
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(name), after.get(name)]
    const thing = (was ?? is) as Thing
    if (was && is) rights.push(...changedMembers(was, is).map((action) => ({ action, resource: was.resource })))
    else if (thing.within.every((parent) => before.has(parent) && after.has(parent))) {
      const [create, remove] = lifeActions[thing.kind] ?? ['a configuration by itself', 'no configuration']
      // A resource that does not exist yet has no tags, whatever the request contains.
      const untagged = thing.resource.map((level, at) => (at < thing.resource.length - 1 ? level : bare(level)))
      rights.push(was ? { action: remove, resource: was.resource } : { action: create, resource: untagged })
    }
  }
  return rights
}

function bare({ kind, key }: Level): Level {
  return { kind, key }
}

function changedMembers({ kind, members: was }: Thing, { members: is }: Thing): string[] {
  const actions: Actions = actionsOf[kind]
  return Object.keys(actions)
    .filter((member) => !isDeepStrictEqual(was[member], is[member]))
    .map((member) => actions[member] as string)
}
