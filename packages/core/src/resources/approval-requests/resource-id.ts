import * as v from 'valibot'
import { approvableKinds, type ResourceRef } from '../../models/approval-requests/approval-request.ts'
import { keyPattern } from '../../operation/schema.ts'
import { parseAddress } from '../../rules/address.ts'

/**
 * Schema of the address of a flag, segment or AI config in an environment, of an AI config in all environments, or of a
 * project, as a request names it
 * (docs/decisions/0002-decide-access-by-policy.md#d14-resource-specifiers).
 */
export const resourceId = () =>
  v.pipe(
    v.string(),
    v.rawTransform(({ dataset, addIssue, NEVER }): ResourceRef => {
      const resourceRef = parseResourceRef(dataset.value)
      if (resourceRef) return resourceRef
      addIssue({
        message:
          'must be like proj/web:env/production:flag/checkout, with segment/ or aiconfig/ in its last part, or proj/web:aiconfig/chat or proj/web',
      })
      return NEVER
    }),
  )

function parseResourceRef(text: string): ResourceRef | undefined {
  const parts = parseAddress(text) ?? []
  const shape = parts.map(({ kind }) => kind).join(':')
  const [project, resource] = [parts[0], parts.at(-1)]
  if (shape === 'proj' && project && keyPattern.test(project.key))
    return { kind: 'proj', projectKey: project.key, resourceKey: project.key }
  const kind = approvableKinds.find((kind) => shape === `proj:env:${kind}` || shape === `proj:${kind}`)
  const isOfEnvironment = parts.length === 3
  if (!project || !resource || kind === undefined || !parts.every(({ key }) => keyPattern.test(key))) return undefined
  if (!isOfEnvironment && kind !== 'aiconfig') return undefined
  const environment = isOfEnvironment ? { environmentKey: parts[1]?.key ?? '' } : {}
  return { kind, projectKey: project.key, ...environment, resourceKey: resource.key }
}
