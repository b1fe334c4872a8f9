import { projects } from '../../../models/projects/project.ts'
import type { ReadContext } from '../../../operation/context.ts'
import { parseAddress } from '../../../rules/address.ts'
import { textHash } from '../../../rules/incremental-sha256.ts'
import { bodyOf, type Keys } from '../../../storage/collection.ts'
import type { Condition } from '../../../storage/port.ts'
import { type Application, applications } from '../application.ts'

/** The document of an application in one of the environments to which it was deployed. */
export interface EnvironmentApplication {
  readonly keys: Keys<typeof applications.template>
  readonly document: Application
}

/**
 * An application in all environments that have it and whose projects the caller may view
 * (docs/decisions/0137-show-applications-of-environments-as-one.md). Its properties are those of the oldest document.
 */
export interface AccountApplication {
  readonly oldest: Application
  /** The documents of the application in the order of their addresses; at least one. */
  readonly parts: readonly EnvironmentApplication[]
}

/** The parts of a request context that are needed to find applications. */
export type ApplicationSearch = Pick<ReadContext, 'tx' | 'allowed'>

/** Returns the applications of the account that the caller may view in at least one environment, by key. */
export async function findApplications(
  context: ApplicationSearch,
  where: readonly Condition[] = [],
): Promise<ReadonlyMap<string, AccountApplication>> {
  const listed = await context.tx.listUnder(applications, '', { where, limit: Number.MAX_SAFE_INTEGER })
  const parts = listed.flatMap((row): EnvironmentApplication[] => {
    const [project, environment] = parseAddress(row.scope) ?? []
    const document = bodyOf(applications, row)
    if (!project || !environment || !document) return []
    const keys = { projectKey: project.key, environmentKey: environment.key, applicationKey: row.key }
    return [{ keys, document }]
  })
  const projectKeys = [...new Set(parts.map(({ keys }) => keys.projectKey))]
  const visible = await Promise.all(
    projectKeys.map((projectKey) => context.allowed('viewProject', projects, { projectKey })),
  )
  const visibleKeys = new Set(projectKeys.filter((_, index) => visible[index]))
  const byKey = new Map<string, AccountApplication>()
  for (const part of parts) {
    if (visibleKeys.has(part.keys.projectKey)) byKey.set(part.keys.applicationKey, withPart(byKey, part))
  }
  return byKey
}

function withPart(byKey: ReadonlyMap<string, AccountApplication>, part: EnvironmentApplication): AccountApplication {
  const before = byKey.get(part.keys.applicationKey)
  if (!before) return { oldest: part.document, parts: [part] }
  const oldest = part.document.createdAt < before.oldest.createdAt ? part.document : before.oldest
  return { oldest, parts: [...before.parts, part] }
}

/** Returns an application; undefined when the caller may view no environment that has it. */
export async function findApplication(
  context: ApplicationSearch,
  applicationKey: string,
): Promise<AccountApplication | undefined> {
  const byKey = await findApplications(context, [{ op: 'equals', field: 'key', value: applicationKey }])
  return byKey.get(applicationKey)
}

/** Returns a text that changes when a part changes, is added or is removed. */
export async function revisionOf(
  parts: readonly { readonly keys: object; readonly document: { readonly version: number } }[],
): Promise<string> {
  const hashOf = await textHash()
  return hashOf(JSON.stringify(parts.map(({ keys, document }) => [keys, document.version])), 16)
}
