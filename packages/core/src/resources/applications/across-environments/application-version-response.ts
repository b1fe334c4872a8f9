import * as v from 'valibot'
import type { ReadContext } from '../../../operation/context.ts'
import { path, selfAndParent } from '../../../operation/link.ts'
import { links, timestamp } from '../../../operation/schema.ts'
import type { ApplicationVersion } from './application-version.ts'

export const applicationVersionResponse = v.object({
  _links: links(),
  key: v.string(),
  name: v.string(),
  supported: v.boolean(),
  /** Always true: the first event of its deployments creates a version. */
  autoAdded: v.boolean(),
  creationDate: timestamp(),
  /** Sum of the versions of the deployments. */
  _version: v.number(),
})

/** Serializes a version of an application. */
export function serializeApplicationVersion(
  { format }: Pick<ReadContext, 'format'>,
  applicationKey: string,
  { key, name, supported, createdAt, parts }: ApplicationVersion,
): v.InferOutput<typeof applicationVersionResponse> {
  const parent = path`/api/v2/applications/${applicationKey}/versions`
  return {
    _links: selfAndParent(parent + path`/${key}`, parent),
    key,
    name,
    supported,
    autoAdded: true,
    creationDate: format.time(createdAt),
    _version: parts.reduce((sum, { document }) => sum + document.version, 0),
  }
}
