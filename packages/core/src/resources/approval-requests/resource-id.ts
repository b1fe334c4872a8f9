import * as v from 'valibot'
import {
  type ApprovableKind,
  approvableKinds,
  type ResourceRef,
} from '../../models/approval-requests/approval-request.ts'
import { keyPattern } from '../../operation/schema.ts'
import { parseAddress } from '../../rules/address.ts'

/**
 * Schema of the address of a flag or segment in an environment, as a request names it
 * (docs/decisions/0002-decide-access-by-policy.md#d14-resource-specifiers).
 */
export const resourceId = () =>
  v.pipe(
    v.string(),
    v.rawTransform(({ dataset, addIssue, NEVER }): ResourceRef => {
      const resourceRef = parseResourceRef(dataset.value)
      if (resourceRef) return resourceRef
      addIssue({ message: 'must be such as proj/web:env/production:flag/checkout, or segment/ in its last part' })
      return NEVER
    }),
  )

function parseResourceRef(text: string): ResourceRef | undefined {
  const [project, environment, resource, ...rest] = parseAddress(text) ?? []
  if (project?.kind !== 'proj' || environment?.kind !== 'env' || !resource || rest.length > 0) return undefined
  const kind = approvableKinds.find((text): text is ApprovableKind => text === resource.kind)
  const keys = [project.key, environment.key, resource.key]
  if (kind === undefined || !keys.every((text) => keyPattern.test(text))) return undefined
  return { kind, projectKey: project.key, environmentKey: environment.key, resourceKey: resource.key }
}
