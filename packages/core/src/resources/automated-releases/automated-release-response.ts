import * as v from 'valibot'
import type { AutomatedRelease } from '../../models/flags/automated-release.ts'
import type { ConfigKeys } from '../../models/flags/flag-config.ts'
import type { ResponseFormat } from '../../operation/context.ts'
import { linkTo, path } from '../../operation/link.ts'
import { links } from '../../operation/schema.ts'
import { automatedReleaseEntries, shownRelease } from '../flags/automation/shown-release.ts'

export const automatedReleaseResponse = v.object({
  ...automatedReleaseEntries,
  flagKey: v.string(),
  environmentKey: v.string(),
  _links: links(),
})

/** Serializes an automated release with the flag and the environment that it belongs to. */
export function serializeAutomatedRelease(
  { format }: { readonly format: ResponseFormat },
  release: AutomatedRelease,
  { projectKey, environmentKey, flagKey }: ConfigKeys,
): v.InferOutput<typeof automatedReleaseResponse> {
  const parent = path`/api/v2/projects/${projectKey}/flags/${flagKey}/environments/${environmentKey}/automated-releases`
  return {
    ...shownRelease(format, release),
    flagKey,
    environmentKey,
    _links: { self: linkTo(`${parent}/${encodeURIComponent(release.id)}`), parent: linkTo(parent) },
  }
}
