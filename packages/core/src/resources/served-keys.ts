import { agentGraphs } from '../models/agent-graphs/agent-graph.ts'
import { aiConfigs } from '../models/ai-configs/ai-config.ts'
import { flags } from '../models/flags/flag.ts'
import { type Project, projects } from '../models/projects/project.ts'
import { commitGuard, type DocumentGuard, type GuardContext } from '../operation/commit-guard.ts'
import { fail } from '../operation/errors.ts'
import type { Documents, Versioned } from '../storage/collection.ts'

const servedFlags: Documents<Versioned> = flags

/** The collections whose documents SDKs receive as flags. The addresses differ only in the kind of the last level. */
const servedCollections: readonly Documents<Versioned>[] = [servedFlags, aiConfigs, agentGraphs]

/**
 * Refuses to create a flag, an AI config or an agent graph whose key belongs to a resource of another of these types,
 * because SDKs receive all three types in one list (docs/decisions/0053-serve-ai-configs-as-flags.md).
 */
export const servedKeyGuard = /* @__PURE__ */ commitGuard(servedCollections.map(guardOf))

function guardOf(collection: Documents<Versioned>): DocumentGuard {
  return {
    collection,
    // Changes of properties are not checked: only a creation can introduce a duplicate key.
    properties: [],
    async check({ tx }, { before, after, keys }) {
      if (!before && after) await requireFreeKey(tx, collection, keys)
      return []
    },
  }
}

async function requireFreeKey(
  tx: GuardContext['tx'],
  created: Documents<Versioned>,
  keys: Readonly<Record<string, string>>,
): Promise<void> {
  const key = created.address.key(keys)
  const refuse = (other: Documents<Versioned>): never => {
    const message =
      `The ${created.noun} ${key} cannot be created: the ${other.noun} with this key exists, ` +
      'and SDKs receive flags, AI configs and agent graphs in one list'
    fail('optimistic_locking_error', { message })
  }
  const project = await conflictWithOthers(tx, created, keys)
  if (created === servedFlags && project && (await isKnownFree(tx, project, key))) return
  const others = servedCollections.filter((collection) => collection !== created)
  const documents = await Promise.all(others.map((other) => tx.getManyCurrent(other, [keysIn(other, keys, key)])))
  const other = others[documents.findIndex(([document]) => document !== undefined)]
  if (other) refuse(other)
  // The creation of a flag does not write the project, so a concurrent one would not conflict without this
  // precondition.
  if (created !== servedFlags) tx.requireAbsent(servedFlags, keysIn(servedFlags, keys, key), () => refuse(servedFlags))
}

/** Maximum number of AI configs of a project, also of agent graphs, whose keys are kept in memory. */
const maxKnownKeys = 1_000

/**
 * The keys of the AI configs and agent graphs of a project, for each version of a project that the process has read. No
 * key can be missing: the creation of a config or graph writes the project, and the commit of a flag requires that the
 * project is unchanged. A config or graph with one of the keys may have been deleted, so it is looked up.
 */
const knownKeys = new WeakMap<Project, ReadonlySet<string> | 'seen once' | 'too many'>()

/**
 * Returns true when no AI config or agent graph of a project has a key. False when this is not known without another
 * read: a process that creates several flags in a project reads the keys of AI configs and agent graphs once.
 */
async function isKnownFree(tx: GuardContext['tx'], project: Project, key: string): Promise<boolean> {
  let known = knownKeys.get(project)
  if (known === undefined) {
    knownKeys.set(project, 'seen once')
    return false
  }
  if (known === 'seen once') {
    known = await readKeys(tx, project)
    knownKeys.set(project, known)
  }
  return known !== 'too many' && !known.has(key)
}

async function readKeys(
  tx: GuardContext['tx'],
  { key: projectKey }: Project,
): Promise<ReadonlySet<string> | 'too many'> {
  const limit = maxKnownKeys
  const lists = await Promise.all([
    tx.listCurrentRows(aiConfigs, { projectKey }, { limit }),
    tx.listCurrentRows(agentGraphs, { projectKey }, { limit }),
  ])
  if (lists.some(({ items }) => items.length >= limit)) return 'too many'
  return new Set(lists.flatMap(({ items }) => items.map(({ key }) => key)))
}

/**
 * Makes two concurrent creations with the same key conflict, so that one of them runs again and finds the resource of
 * the other. (The storage itself refuses an equal key only within one collection.) Flags are created most often and do
 * not conflict with each other: the creation of a flag only requires that the project is unchanged. The creation of an
 * AI config or agent graph writes the project and requires the absence of a flag. So the creation of a flag conflicts
 * with an AI config or agent graph that was committed before it, and the creation of an AI config or agent graph
 * conflicts with a flag.
 *
 * The project is read first: a resource that was committed before this version of the project is in the storage when
 * the other documents are read from it.
 *
 * @returns the project as it is stored; undefined when the same call creates it.
 */
async function conflictWithOthers(
  tx: GuardContext['tx'],
  created: Documents<Versioned>,
  { projectKey = '' }: Readonly<Record<string, string>>,
): Promise<Project | undefined> {
  const project = await tx.get(projects, { projectKey })
  // A project that the same call creates is not visible to other calls, so no conflict is possible.
  if (!project) return undefined
  if (created === servedFlags) tx.expect(projects, { projectKey }, project)
  else tx.touch(projects, { projectKey }, project)
  return project
}

/** Returns the address keys of the document that has a key in another collection of the same project. */
function keysIn({ address }: Documents<Versioned>, keys: Readonly<Record<string, string>>, key: string) {
  const lastParameter = address.parameters.at(-1) as string
  return { ...keys, [lastParameter]: key }
}
