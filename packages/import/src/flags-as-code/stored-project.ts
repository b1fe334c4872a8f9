import type { BoundApi } from '@halyard/core'
import { compact, pick } from './compact.ts'
import {
  configNames,
  environmentNames,
  flagNames,
  segmentContentNames,
  segmentNames,
  settingNames,
} from './file-properties.ts'
import type { Ownership } from './ownership.ts'
import type { OwnedParts, ProjectFile } from './project-file.ts'

/** A part of a project in the form of responses. */
export type StoredPart = Readonly<Record<string, unknown>>

/** A project with everything that a file can contain. */
export interface StoredProject {
  readonly key: string
  readonly settings: StoredPart
  readonly environments: ReadonlyMap<string, StoredPart>
  /** Segments by environment and key, without those that another store synchronizes. */
  readonly segments: ReadonlyMap<string, ReadonlyMap<string, StoredPart>>
  readonly flags: ReadonlyMap<string, StoredPart>
}

const pageSize = 100

/** A filter that archived flags meet as well. */
const everyState = 'state:live+deprecated+archived'

/** Reads a project. Flags are read with all environments. */
export async function readProject(api: BoundApi, projectKey: string): Promise<StoredProject> {
  const settings = await api.getProject({ projectKey })
  const environments = await allItems((page) => api.listEnvironments({ projectKey, ...page }))
  const segments = new Map<string, ReadonlyMap<string, StoredPart>>()
  for (const { key } of environments) {
    const environmentKey = key as string
    const listed = await allItems((page) => api.listSegments({ projectKey, environmentKey, ...page }))
    const ownSegments = listed.filter((segment) => (segment as StoredPart)._external === undefined)
    segments.set(environmentKey, byKey(ownSegments))
  }
  const env = environments.map(({ key }) => key).join(',')
  const flags = await allItems((page) =>
    api.listFlags({ projectKey, env, summary: false, sort: 'key', filter: everyState, ...page }),
  )
  return { key: projectKey, settings, environments: byKey(environments), segments, flags: byKey(flags) }
}

interface Page {
  readonly items: readonly object[]
}

async function allItems(
  read: (page: { readonly limit: number; readonly offset: number }) => Promise<Page>,
): Promise<StoredPart[]> {
  const allItems: StoredPart[] = []
  for (;;) {
    const { items } = await read({ limit: pageSize, offset: allItems.length })
    allItems.push(...(items as readonly StoredPart[]))
    if (items.length < pageSize) return allItems
  }
}

function byKey(items: readonly StoredPart[]): ReadonlyMap<string, StoredPart> {
  const sorted = [...items].sort(({ key: a }, { key: b }) => ((a as string) < (b as string) ? -1 : 1))
  return new Map(sorted.map((item) => [item.key as string, item]))
}

/** Returns the parts of a project that a file owns, in the form of the file. */
export function fileOf(project: StoredProject, owns: OwnedParts | undefined, owned: Ownership): ProjectFile {
  const segments = Object.fromEntries(
    [...project.segments].flatMap(([environment, items]) => {
      const entries = [...items].filter(([key]) => owned.segment(key)).map(([key, item]) => [key, segmentOf(item)])
      return entries.length === 0 ? [] : [[environment, Object.fromEntries(entries)]]
    }),
  )
  const flags = [...project.flags].filter(([key, { tags }]) => owned.flag(key, tags as readonly string[]))
  // Cast: responses have the properties of the file.
  return {
    version: 1,
    project: project.key,
    ...(owns && { owns }),
    ...(owned.settings && {
      settings: settingsOf(project.settings),
      environments: entriesOf(project.environments, environmentOf),
    }),
    ...(Object.keys(segments).length > 0 && { segments }),
    ...(flags.length > 0 && { flags: entriesOf(new Map(flags), flagOf) }),
  } as ProjectFile
}

/** Returns the settings of a project in the form of a file. */
export function settingsOf(item: StoredPart): unknown {
  return compact(pick(item, settingNames))
}

/** Returns an environment in the form of a file. */
export function environmentOf(item: StoredPart): unknown {
  return compact(pick(item, environmentNames))
}

function entriesOf(items: ReadonlyMap<string, StoredPart>, convert: (item: StoredPart) => unknown) {
  return Object.fromEntries([...items].map(([key, item]) => [key, convert(item)]))
}

/** Returns a segment in the form of a file. A big segment has no keys there. */
export function segmentOf(item: StoredPart): unknown {
  return compact(pick(item, item.unbounded ? segmentNames : [...segmentNames, ...segmentContentNames]))
}

/** Returns a flag in the form of a file. */
export function flagOf(item: StoredPart): unknown {
  const { environments, migrationSettings } = item as {
    environments: Record<string, StoredPart>
    migrationSettings?: object
  }
  const keys = Object.keys(environments).sort()
  return {
    ...(compact(pick(item, flagNames)) as object),
    ...(migrationSettings && { migrationSettings }),
    environments: Object.fromEntries(
      keys.map((key) => [key, compact(pick(environments[key] as StoredPart, configNames))]),
    ),
  }
}
