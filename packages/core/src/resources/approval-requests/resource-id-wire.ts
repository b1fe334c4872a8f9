import * as v from 'valibot'
import {
  type ApprovableKind,
  type ApprovalPlace,
  approvableKinds,
} from '../../models/approval-requests/approval-request.ts'
import { keyPattern } from '../../operation/schema.ts'
import { parseAddress } from '../../rules/address.ts'

/** Schema of the address of a flag or segment in an environment, as a request names it (D14). */
export const resourceId = () =>
  v.pipe(
    v.string(),
    v.rawTransform(({ dataset, addIssue, NEVER }): ApprovalPlace => {
      const place = placeAt(dataset.value)
      if (place) return place
      addIssue({ message: 'must be such as proj/web:env/production:flag/checkout, or segment/ in its last part' })
      return NEVER
    }),
  )

function placeAt(text: string): ApprovalPlace | undefined {
  const [project, environment, thing, ...more] = parseAddress(text) ?? []
  if (project?.kind !== 'proj' || environment?.kind !== 'env' || !thing || more.length > 0) return undefined
  const kind = approvableKinds.find((one): one is ApprovableKind => one === thing.kind)
  const keys = [project.key, environment.key, thing.key]
  if (kind === undefined || !keys.every((one) => keyPattern.test(one))) return undefined
  return { kind, projectKey: project.key, environmentKey: environment.key, resourceKey: thing.key }
}
