import * as v from 'valibot'
import type { ReadContext } from '../../../operation/context.ts'
import { path, selfAndParent } from '../../../operation/link.ts'
import { links, timestamp } from '../../../operation/schema.ts'
import { applicationKinds } from '../application.ts'
import type { AccountApplication } from './account-application.ts'

export const accountApplicationResponse = v.object({
  _links: links(),
  key: v.string(),
  name: v.string(),
  kind: v.picklist(applicationKinds),
  description: v.string(),
  /** Always true: the first event of its deployments creates an application. */
  autoAdded: v.boolean(),
  creationDate: timestamp(),
  /** Sum of the versions that the application has in its environments. */
  _version: v.number(),
})

/** Serializes an application of the account. */
export function serializeAccountApplication(
  { format }: Pick<ReadContext, 'format'>,
  { oldest, parts }: AccountApplication,
): v.InferOutput<typeof accountApplicationResponse> {
  const parent = '/api/v2/applications'
  const { key, name, kind, description, createdAt } = oldest
  return {
    _links: selfAndParent(parent + path`/${key}`, parent),
    key,
    name,
    kind,
    description,
    autoAdded: true,
    creationDate: format.time(createdAt),
    _version: parts.reduce((sum, { document }) => sum + document.version, 0),
  }
}
