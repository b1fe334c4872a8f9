import * as v from 'valibot'
import type { Environment } from '../../../models/environments/environment.ts'
import type { Flag } from '../../../models/flags/flag.ts'
import { linkTo, path } from '../../../operation/link.ts'
import { link, links, list } from '../../../operation/schema.ts'
import { siteOf } from '../flag-config-schema.ts'
import type { Dependent } from './dependents.ts'

const namedEntries = { key: v.string(), name: v.string(), _links: links(), _site: link() }

/** A flag that depends on another flag in the requested environment. */
export const dependentFlagResponse = v.object(namedEntries)

/** A flag that depends on another flag, with the environments in which it does. */
export const multiEnvironmentDependentFlagResponse = v.object({
  key: v.string(),
  name: v.string(),
  _links: links(),
  environments: list(v.object(namedEntries)),
})

/** A list of dependent flags. `_site` is the page of the flag that they depend on. */
export const dependentFlagsResponse = v.object({ items: list(dependentFlagResponse), _links: links(), _site: link() })

export const multiEnvironmentDependentFlagsResponse = v.object({
  items: list(multiEnvironmentDependentFlagResponse),
  _links: links(),
})

export function serializeDependent(
  projectKey: string,
  environmentKey: string,
  { flag }: Dependent,
): v.InferOutput<typeof dependentFlagResponse> {
  return { ...summaryOf(projectKey, flag), _site: siteOf(projectKey, environmentKey, flag.key) }
}

export function serializeMultiEnvironmentDependent(
  projectKey: string,
  environments: ReadonlyMap<string, Environment>,
  { flag, environmentKeys }: Dependent,
): v.InferOutput<typeof multiEnvironmentDependentFlagResponse> {
  return {
    ...summaryOf(projectKey, flag),
    environments: environmentKeys.flatMap((key) => {
      const environment = environments.get(key)
      if (!environment) return []
      const self = linkTo(path`/api/v2/projects/${projectKey}/environments/${key}`)
      return [{ key, name: environment.name, _links: { self }, _site: siteOf(projectKey, key, flag.key) }]
    }),
  }
}

function summaryOf(projectKey: string, { key, name }: Flag) {
  return { key, name, _links: { self: linkTo(path`/api/v2/flags/${projectKey}/${key}`) } }
}
